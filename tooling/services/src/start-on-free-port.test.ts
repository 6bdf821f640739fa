import { expect, it } from "vitest";
import type { Keeper, KeptProcess } from "./keep.ts";
import { startOnFreePort } from "./start-on-free-port.ts";

const TAKEN: Partial<KeptProcess> = {
  exited: Promise.resolve({ code: 1, reason: "exit code 1" }),
  logTail: () => "bind: Address already in use",
};
const runs: Pick<KeptProcess, "exited"> = { exited: new Promise(() => {}) };

/** Starts a server that behaves as the given processes do, one per attempt; the last one stands for all further ones. */
function start(processes: Partial<KeptProcess>[], probe: () => Promise<void>, deadlineMs?: number) {
  let attempts = 0;
  const keeper: Keeper = {
    folder: "/tmp/none",
    start: async () => ({ pid: 1, logTail: () => "", ...runs, ...(processes[attempts++] ?? processes.at(-1)) }),
    unref: () => {},
    stop: async () => {},
  };
  let port = 1000;
  return startOnFreePort({
    keeper,
    command: () => ({ name: "redis", command: "redis-server", args: [], cwd: "/", stopSignals: [] }),
    probe,
    nextPort: async () => ++port,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
}

const answers = async () => {};
const isSilent = () => new Promise<void>(() => {});
const refuses = async () => {
  throw new Error("connect ECONNREFUSED");
};

it("asks again until the server answers", async () => {
  let asked = 0;
  const port = await start([runs], () => (++asked < 3 ? refuses() : answers()));
  expect(port).toBe(1001);
  expect(asked).toBe(3);
});

it("takes another port when the first was taken in the meantime, without waiting for an answer from it", async () => {
  let asked = 0;
  const port = await start([TAKEN, runs], () => (++asked === 1 ? isSilent() : answers()));
  expect(port).toBe(1002);
});

it("gives up after five ports", async () => {
  await expect(start([TAKEN], isSilent)).rejects.toThrow(
    "redis on port 1005 ended with exit code 1 before it answered (attempt 5 of 5). " +
      "Its log ends with:\nbind: Address already in use",
  );
});

it("carries the log of a server that ends for another reason, and does not try again", async () => {
  const broken = { exited: Promise.resolve({ code: 3, reason: "exit code 3" }), logTail: () => "FATAL: bad config" };
  await expect(start([broken, runs], isSilent)).rejects.toThrow(
    "redis on port 1001 ended with exit code 3 before it answered. Its log ends with:\nFATAL: bad config",
  );
});

it("says why a server that runs cannot be reached when its time is up", async () => {
  await expect(start([runs], refuses, 60)).rejects.toThrow(
    "redis on port 1001 did not answer within 60 ms: connect ECONNREFUSED. Its log ends with:\n(nothing)",
  );
});
