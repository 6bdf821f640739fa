import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const PROGRAM = new URL("../../test/waiting-program.ts", import.meta.url);

/** The program's last words; it has to end by itself. */
async function run(program: string): Promise<string> {
  const flags = ["--conditions=@agents/source", "--import", "tsx", PROGRAM.pathname, program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: ROOT, timeout: 20_000 });
  return stdout.trim();
}

describe("a process that awaits a turn and nothing else", () => {
  it.each([
    ["repeats a call", "stop"],
    ["has a time limit", "DEADLINE_EXCEEDED"],
    ["waits for a snapshot", "expired"],
    ["waits in a queue", "stop"],
  ])("stays alive while the turn %s", async (program, words) => {
    expect(await run(program)).toBe(words);
  });

  it("ends when it is done, although it leaves a connection open", async () => {
    expect(await run("leaves a connection open")).toBe("left");
  });
});
