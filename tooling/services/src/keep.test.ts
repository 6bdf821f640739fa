import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Keeper, startKeeper } from "./keep.ts";

let temporary: string;
let keeper: Keeper;

beforeEach(async () => {
  temporary = mkdtempSync(join(tmpdir(), "keep-test-"));
  keeper = await startKeeper({ env: { ...process.env, TMPDIR: temporary }, stopStepMs: 200 });
});
afterEach(async () => {
  await keeper.stop();
  rmSync(temporary, { recursive: true });
});

function startNode(name: string, script: string) {
  return keeper.start({
    name,
    command: process.execPath,
    args: ["-e", script],
    cwd: keeper.folder,
    stopSignals: ["SIGTERM"],
  });
}

it("asks processes to stop, waits for them and removes the folder", async () => {
  const kept = await startNode(
    "obeys",
    'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1e6); console.log("up")',
  );
  await expect.poll(() => kept.logTail()).toBe("up");
  await keeper.stop();
  expect(await kept.exited).toEqual({ code: 7, reason: "exit code 7" });
  expect(readdirSync(temporary)).toEqual([]);
});

it("kills a process that does not obey", async () => {
  const kept = await startNode(
    "stubborn",
    'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6); console.log("up")',
  );
  await expect.poll(() => kept.logTail()).toBe("up");
  await keeper.stop();
  expect(await kept.exited).toEqual({ code: null, reason: "signal SIGKILL" });
  expect(existsSync(keeper.folder)).toBe(false);
});

it("reports how a process ended by itself, with the end of its log", async () => {
  const kept = await startNode("fails", 'for (let i = 1; i <= 50; i++) console.error("line " + i); process.exit(3)');
  expect(await kept.exited).toEqual({ code: 3, reason: "exit code 3" });
  expect(kept.logTail()).toMatch(/^line 31\n[\s\S]*line 50$/);
});

it("rejects a command that cannot be run", async () => {
  const start = keeper.start({ name: "redis", command: "/no/such/file", args: [], cwd: "/", stopSignals: [] });
  await expect(start).rejects.toThrow("redis could not be started: spawn /no/such/file ENOENT");
});

it("says where servers may be left when the keeper itself is killed", async () => {
  const kept = await startNode("orphan", "console.log(process.ppid); setInterval(() => {}, 1e6)");
  await expect.poll(() => kept.logTail()).not.toBe("");
  process.kill(Number(kept.logTail()), "SIGKILL");
  try {
    expect(await kept.exited).toEqual({ code: null, reason: "its keeper ended (signal SIGKILL)" });
    await expect(keeper.stop()).rejects.toThrow(`signal SIGKILL. Remove ${keeper.folder}`);
  } finally {
    process.kill(kept.pid, "SIGKILL");
    keeper = await startKeeper();
  }
});

it("says why it cannot start", async () => {
  const start = startKeeper({ env: { ...process.env, TMPDIR: join(temporary, "missing") } });
  await expect(start).rejects.toThrow("no such file or directory");
});
