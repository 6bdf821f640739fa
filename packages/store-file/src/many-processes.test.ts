import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFileStore, temporaryDirectory, turnsOf } from "../test/file-driver.ts";
import { begun, settle } from "../test/turn-calls.ts";

const WRITER = fileURLToPath(new URL("../test/writer.ts", import.meta.url));
const KILLS = 50;

describe("processes that write one session", () => {
  it("make one history, every turn once", { timeout: 120_000 }, async () => {
    const directory = temporaryDirectory();
    const writers = Array.from({ length: 6 }, () => startWriter(directory, 25));
    await Promise.all(writers.map(({ ended }) => ended));
    const answered = writers.flatMap(({ answers }) => answers());
    const turns = await turnsOf(openFileStore(directory), "s");
    expect(turns.map(({ snapshotId }) => snapshotId).toSorted()).toEqual(answered.toSorted());
    expect(turns.map(({ ordinal }) => ordinal)).toEqual(turns.map((_, index) => index + 1));
    expect(turns.map(({ parentId }) => parentId)).toEqual([
      undefined,
      ...turns.slice(0, -1).map(({ snapshotId }) => snapshotId),
    ]);
  });

  it(`lose nothing that was answered, killed ${KILLS} times`, { timeout: 240_000 }, async () => {
    const directory = temporaryDirectory();
    const now = { time: Date.now() };
    const store = openFileStore(directory, { clock: { now: () => now.time } });
    const answered: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 5) {
      const writers = Array.from({ length: 5 }, (_, index) => startWriter(directory, 1_000, `s${index}`));
      await Promise.all(writers.map(({ busy }) => busy));
      // Each at a moment of its own.
      for (const { process } of writers) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        process.kill("SIGKILL");
      }
      await Promise.all(writers.map(({ ended }) => ended));
      answered.push(...writers.flatMap(({ answers }) => answers()));
      now.time = Date.now() + 60_000;
      for (let index = 0; index < writers.length; index++) {
        const sessionId = `s${index}`;
        // The turn that died is closed, and the session goes on from the last one that was answered.
        const { lease, turn } = await begun(store, sessionId);
        expect((await settle(store, lease)).ok).toBe(true);
        answered.push(lease.snapshotId);
        const turns = await turnsOf(store, sessionId);
        const finished = turns.filter(({ status }) => status === "completed");
        expect(finished.find(({ snapshotId }) => snapshotId === turn.parentId)?.status).toBe("completed");
      }
    }
    const reader = openFileStore(directory, { clock: { now: () => now.time } });
    const stored = new Map<string, string>();
    for (let index = 0; index < 5; index++) {
      for (const { snapshotId, status } of await turnsOf(reader, `s${index}`)) stored.set(snapshotId, status);
    }
    expect(answered.length).toBeGreaterThan(KILLS);
    for (const snapshotId of answered) expect([snapshotId, stored.get(snapshotId)]).toEqual([snapshotId, "completed"]);
  });
});

interface Writer {
  readonly process: ChildProcess;
  /** Once it has written something. */
  readonly busy: Promise<void>;
  readonly ended: Promise<void>;
  /** Ids of the turns that it was told are done. */
  answers(): string[];
}

function startWriter(directory: string, turns: number, sessionId = "s"): Writer {
  const argv = ["--conditions=@agents/source", "--import", "tsx", WRITER, directory, sessionId, String(turns)];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  const { promise: busy, resolve } = deferred();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.split("\n").length > 2) resolve();
  });
  return {
    process: child,
    busy,
    ended: once(child, "close").then(() => resolve()),
    // The last line may have been cut.
    answers: () => output.split("\n").slice(1, -1),
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
