import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";

const WORKSPACE = new URL("./workspace.mjs", import.meta.url).href;

/** A command like ours: two programs, one after the other. The first says that it runs and stays until it is told to go. */
const COMMAND = `
  import { interruption, run, stopInOrder } from ${JSON.stringify(WORKSPACE)};
  stopInOrder();
  const stay = 'process.on("SIGTERM", () => { console.log("first told"); process.exit(0); }); process.on("SIGINT", () => { console.log("first told"); process.exit(0); }); console.log("first runs"); setInterval(() => {}, 1000);';
  await run(process.execPath, ["-e", stay]);
  const second = await run(process.execPath, ["-e", 'console.log("second runs")']);
  console.log("second " + second);
  process.exit(interruption() ?? 0);
`;

async function untilFirstRuns(): Promise<{ child: ChildProcess; printed: string[] }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", COMMAND], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed: string[] = [];
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.on("line", (line) => printed.push(line));
  await once(lines, "line");
  return { child, printed };
}

it.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("passes %s on to the program that runs, starts no other, and ends with %i", async (signal, code) => {
  const { child, printed } = await untilFirstRuns();
  child.kill(signal);
  expect(await once(child, "close")).toEqual([code, null]);
  expect(printed).toEqual(["first runs", "first told", `second ${code}`]);
});

it("stops the program that runs when whoever started the command is killed", async () => {
  const middle = `
    const { spawn } = require("node:child_process");
    spawn(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(COMMAND)}], { stdio: "inherit" });
  `;
  const parent = spawn(process.execPath, ["-e", middle], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: parent.stdout as NodeJS.ReadableStream });
  const printed: string[] = [];
  lines.on("line", (line) => printed.push(line));
  await once(lines, "line");
  parent.kill("SIGKILL");
  // The pipe ends when the last process that writes to it has.
  await once(lines, "close");
  expect(printed).toEqual(["first runs", "first told", "second 143"]);
});
