import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  journalFiles,
  journalPath,
  NOBODY,
  openFileStore,
  temporaryDirectory,
  textOfFiles,
  turn,
  turnsOf,
} from "../test/file-driver.ts";
import { begin, begun, settle } from "../test/turn-calls.ts";

const LONG = "long ".repeat(10_000);

describe("a journal that is written anew", () => {
  it("is shorter, and says the same to everybody who had the old one open", async () => {
    const directory = temporaryDirectory();
    const [store, other] = [openFileStore(directory), openFileStore(directory)];
    for (let count = 0; count < 6; count++) await turn(store, "s", { text: LONG });
    const live = await begun(other, "s", { input: '"kept"', events: { firstSeq: 1, events: ['"one"', "with\ttab"] } });
    const before = statSync(journalPath(directory, "s")).size;
    expect(await store.index.prune(NOBODY, "s", { keepLast: 1 }, 100)).toMatchObject({ dropped: 5 });
    expect(journalFiles(directory, "s")).toEqual(["000002.journal"]);
    expect(statSync(journalPath(directory, "s")).size).toBeLessThan(before / 3);

    const turns = await turnsOf(other, "s");
    expect(turns.map(({ ordinal }) => ordinal)).toEqual([6, 7]);
    for (const each of [store, openFileStore(directory)]) expect(await turnsOf(each, "s")).toEqual(turns);
    const page = await other.events.readEvents(NOBODY, live.lease.snapshotId, {
      after: { epoch: 0, seq: 0 },
      limit: 9,
    });
    expect(page?.events.map(({ json }) => json)).toEqual(['"one"', "with\ttab"]);
    // The begin is known again, and the writer goes on.
    const again = await begin(other, "s", { snapshotId: live.lease.snapshotId });
    expect(again).toMatchObject({ type: "begun", lease: live.lease, chain: live.chain });
    expect((await settle(other, live.lease, { events: { firstSeq: 3, events: [] } })).ok).toBe(true);
    expect((await begun(store, "s")).turn.ordinal).toBe(8);
  });

  it("takes no effect when somebody wrote meanwhile, and nothing is lost", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    for (let count = 0; count < 4; count++) await turn(store, "s", { text: LONG });
    const others = Array.from({ length: 4 }, () => openFileStore(directory));
    const all = others.map(async (other, index) => {
      for (let count = 0; count < 5; count++) {
        if (index === 0) await other.index.prune(NOBODY, "s", { keepLast: 1 }, 100);
        while (
          (await begin(other, `s`, { from: { sessionId: "s", create: true, ifActive: "fork", ifForked: "newest" } }))
            .type !== "begun"
        );
      }
    });
    await Promise.all(all);
    const live = (await turnsOf(openFileStore(directory), "s")).filter(({ status }) => status === "pending");
    expect(live).toHaveLength(20);
  });

  it.each(["before the new file has its name", "before the old file is gone"])(
    "is found by others when its writer died %s",
    async (when) => {
      const directory = temporaryDirectory();
      const store = openFileStore(directory);
      for (let count = 0; count < 6; count++) await turn(store, "s", { text: LONG });
      const old = journalPath(directory, "s");
      const before = readFileSync(old);
      await store.index.prune(NOBODY, "s", { keepLast: 1 }, 100);
      await store.close();
      // As it was at that moment: the old journal, its records of the prune and the move behind it.
      const moved = journalPath(directory, "s");
      const name = "000002-0123456789ab.next";
      const records = [
        '1 {"t":"prune","if":12,"at":1,"rows":[1,2,3,4,5],"logs":[],"by":"x.0"}',
        `1 {"t":"moved","if":13,"effects":13,"at":1,"to":"${name}","by":"x.1"}`,
      ];
      writeFileSync(old, Buffer.concat([before, ...records.map(lineOf)]));
      if (when.startsWith("before the new")) renameSync(moved, join(dirname(old), name));
      const [one, other] = [openFileStore(directory), openFileStore(directory)];
      const types = await Promise.all([begin(one, "s"), begin(other, "s")]);
      expect(types.map(({ type }) => type).toSorted()).toEqual(["begun", "busy"]);
      expect((await turnsOf(one, "s")).map(({ ordinal }) => ordinal)).toEqual([6, 7]);
      expect(journalFiles(directory, "s")).toEqual(["000002.journal"]);
    },
  );
});

describe("the end of a journal", () => {
  it("is none when something took effect after what was carried over, be it an event or a heartbeat", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    const { lease } = await begun(store, "s");
    const path = journalPath(directory, "s");
    const next = join(dirname(path), "000002-0123456789ab.next");
    writeFileSync(next, lineOf('1 {"t":"base","at":1,"nextSession":1,"by":"x.0"}'));
    // Decided when there was one record; then a heartbeat came.
    await store.turns.heartbeat([{ caller: NOBODY, lease }], 60_000);
    appendFileSync(
      path,
      lineOf('1 {"t":"moved","if":1,"effects":1,"at":1,"to":"000002-0123456789ab.next","by":"x.1"}'),
    );
    expect((await settle(store, lease)).ok).toBe(true);
    for (const each of [store, openFileStore(directory)]) expect(await turnsOf(each, "s")).toHaveLength(1);
    expect(journalPath(directory, "s")).toBe(path);
  });
});

describe("a session that is deleted", () => {
  it("leaves no word of it on the disk", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    const id = await turn(store, "secret session", { text: "secret words" });
    await store.index.updateSession(NOBODY, "secret session", { metadata: '"secret title"' });
    expect(textOfFiles(directory)).toContain("secret");
    await store.index.deleteSession(NOBODY, "secret session");
    const left = textOfFiles(directory);
    expect(left).not.toContain("secret");
    expect(left).not.toContain(id.slice(9));
  });

  it("is gone for everybody who had it open, and can be made anew", async () => {
    const directory = temporaryDirectory();
    const [store, other] = [openFileStore(directory), openFileStore(directory)];
    await turn(store, "s");
    const { lease } = await begun(other, "s");
    await store.index.deleteSession(NOBODY, "s");
    expect((await settle(other, lease)).turn).toBeUndefined();
    const types = await Promise.all([begin(store, "s"), begin(other, "s")]);
    expect(types.map(({ type }) => type).toSorted()).toEqual(["begun", "busy"]);
    expect((await turnsOf(store, "s")).map(({ ordinal }) => ordinal)).toEqual([1]);
  });

  it("from outside, by hand, is DATA_LOSS for who writes on, not a file that nobody finds", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    const { lease } = await begun(store, "s");
    renameSync(journalPath(directory, "s"), join(directory, "taken"));
    rmSync(join(directory, "taken"));
    await expect(settle(store, lease)).rejects.toMatchObject({ status: "DATA_LOSS" });
    expect((await settle(store, lease)).ok).toBe(false);
  });
});

function lineOf(body: string): Buffer {
  return Buffer.from(`${crc32(body).toString(16).padStart(8, "0")} ${body}\n`);
}
