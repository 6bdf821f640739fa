import { appendFileSync, copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  journalPath,
  NOBODY,
  openFileStore,
  sessionFolder,
  temporaryDirectory,
  turn,
  turnsOf,
} from "../test/file-driver.ts";
import { begin, begun, settle } from "../test/turn-calls.ts";

describe("a line that is not whole", () => {
  it("is as if never written, cut at any byte of the last record, and the session goes on", async () => {
    const made = temporaryDirectory();
    const writer = openFileStore(made);
    const first = await turn(writer, "s", { text: "first" });
    const before = readFileSync(journalPath(made, "s")).length;
    const second = await begun(writer, "s", { events: { firstSeq: 1, events: ['"started"'] } });
    const whole = readFileSync(journalPath(made, "s"));
    expect(whole.length).toBeGreaterThan(before + 100);
    for (let length = before; length < whole.length; length++) {
      const directory = temporaryDirectory();
      const path = join(sessionFolder(directory, "s"), "000001.journal");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, whole.subarray(0, length));
      const store = openFileStore(directory);
      const ids = (await turnsOf(store, "s")).map(({ snapshotId }) => snapshotId);
      expect(ids, `cut at ${length}`).toEqual([first]);
      // But for its newline the record is whole: the next one brings it, and then it counts.
      const type = length === whole.length - 1 ? "busy" : "begun";
      const next = await begin(store, "s");
      expect(next, `begun after a cut at ${length}`).toMatchObject({ type });
      if (next.type !== "begun") {
        expect(next).toMatchObject({ turn: { snapshotId: second.lease.snapshotId } });
        continue;
      }
      expect((await settle(store, next.lease)).ok).toBe(true);
      const reader = openFileStore(directory);
      expect((await turnsOf(reader, "s")).map(({ status }) => status)).toEqual(["completed", "completed"]);
    }
  });

  it.each([
    ["text", "half a rec"],
    ["bytes that are no text", Buffer.from([0, 255, 254, 0, 10, 0, 195])],
    ["many zeros, as a power cut leaves them", Buffer.alloc(10_000)],
    ["lines that look like records", '00000000 1 {"t":"delete","if":2,"s":0}\nffffffff 1 {}\n'],
    ["a long line", "x".repeat(300_000)],
  ])("costs nothing that others write after it: %s", async (_, garbage) => {
    const directory = temporaryDirectory();
    const one = openFileStore(directory);
    const other = openFileStore(directory);
    await turn(one, "s");
    await turn(other, "s");
    appendFileSync(journalPath(directory, "s"), garbage);
    await turn(one, "s");
    appendFileSync(journalPath(directory, "s"), garbage);
    await turn(other, "s");
    for (const store of [one, other, openFileStore(directory)]) {
      expect((await turnsOf(store, "s")).map(({ ordinal, status }) => [ordinal, status])).toEqual([
        [1, "completed"],
        [2, "completed"],
        [3, "completed"],
        [4, "completed"],
      ]);
    }
  });

  it("that swallows a record makes its writer write it again", async () => {
    const directory = temporaryDirectory();
    await turn(openFileStore(directory), "s");
    const path = journalPath(directory, "s");
    // As if another process died in the middle of a line, between our look and our write.
    const unlucky = openFileStore(directory, {
      onStep(step) {
        if (step === "begin:half-written" && torn++ < 3) appendFileSync(path, "0123abcd 1 {torn");
      },
    });
    let torn = 0;
    await turn(unlucky, "s");
    expect(torn).toBeGreaterThan(3);
    expect(await turnsOf(openFileStore(directory), "s")).toHaveLength(2);
  });

  it("is DATA_LOSS when a replayed journal is cut from outside, not a wrong state", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    const id = await turn(store, "s");
    truncateSync(journalPath(directory, "s"), 10);
    const read = store.turns.read(NOBODY, { snapshotId: id }, { known: [] });
    await expect(read).rejects.toMatchObject({ status: "DATA_LOSS", message: expect.stringContaining(directory) });
  });

  it("of a newer version is refused, and nothing is written behind it", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    await turn(store, "s");
    const path = journalPath(directory, "s");
    const body = '2 {"t":"new"}';
    appendFileSync(path, `${crc32(body).toString(16).padStart(8, "0")} ${body}\n`);
    copyFileSync(path, `${path}.copy`);
    for (const reader of [store, openFileStore(directory)]) {
      await expect(begin(reader, "s")).rejects.toMatchObject({
        status: "FAILED_PRECONDITION",
        message: expect.stringMatching(/has version 2; this package reads up to 1/),
      });
    }
    expect(readFileSync(path).equals(readFileSync(`${path}.copy`))).toBe(true);
  });
});
