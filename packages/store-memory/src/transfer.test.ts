import type { SessionRecord, StateContent, StateText } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { content, driveStore, NOBODY, type StoreDriver } from "../test/store-driver.ts";

const THERE = { scope: "there" };

/** Turns 1 to 4 in a row: a whole state, then one change each. */
async function driveChanges(options?: Parameters<typeof driveStore>[0]): Promise<StoreDriver> {
  const driver = driveStore(options);
  for (const id of ["1", "2", "3", "4"]) {
    const { lease } = await driver.begun(id, { events: { firstSeq: 1, events: [`event of ${id}`] } });
    const change = [{ op: "replace", path: "/text", value: id }] as const;
    const last = { firstSeq: 2, events: [] };
    await driver.settle(lease, { content: content(id, change), events: last });
  }
  return driver;
}

async function exported({ store }: StoreDriver): Promise<SessionRecord<StateText>> {
  const record = await store.index.exportSession(NOBODY, "s");
  if (record === undefined) throw new Error("session s is unknown");
  return record;
}

/** With states of its own: what they are is of no matter here. */
function importable(record: SessionRecord<StateText>): SessionRecord<StateContent> {
  const turns = record.turns.map(({ content: _, ...turn }) => ({ ...turn, content: content(turn.turn.snapshotId) }));
  return { ...record, turns };
}

describe("exportSession", () => {
  it("gives a state as its change where the state it changes goes along", async () => {
    const { turns } = await exported(await driveChanges());
    expect(turns.map((turn) => turn.content?.kind)).toEqual(["full", "patch", "patch", "patch"]);
  });

  it("gives a state whole whose base was dropped", async () => {
    const driver = await driveChanges();
    await driver.store.index.prune(NOBODY, "s", { keepLast: 2 }, 99);
    const { turns } = await exported(driver);
    expect(turns.map((turn) => turn.content)).toEqual([
      { kind: "full", json: '{"text":"3"}' },
      { kind: "patch", json: '[{"op":"replace","path":"/text","value":"4"}]' },
    ]);
  });

  it("gives a row that has no state of its own the one it stands for, once its ancestors were dropped", async () => {
    const driver = await driveChanges();
    const { lease } = await driver.begun("5");
    await driver.store.turns.settle(NOBODY, lease, {
      pending: { status: "completed", result: "", events: { firstSeq: 1, events: [] } },
      aborting: { status: "aborted", result: "", events: { firstSeq: 1, events: [] } },
      heads: ["completed"],
    });
    expect((await exported(driver)).turns.at(-1)?.content).toBeUndefined();
    await driver.store.index.prune(NOBODY, "s", { keepLast: 1 }, 99);
    const [head] = (await exported(driver)).turns;
    expect(head?.content).toEqual({ kind: "full", json: '{"text":"4"}' });
    expect(head?.turn.state?.stateHash).toBe("hash of 4");
  });
});

describe("importSession", () => {
  it.each([
    ["maxTurnsPerSession", { maxTurnsPerSession: 3 }],
    ["maxEvents", { maxEvents: 3 }],
  ] as const)("is refused whole beyond %s", async (limit, options) => {
    const record = importable(await exported(await driveChanges()));
    const { store, tables } = driveStore(options);
    const error = { status: "RESOURCE_EXHAUSTED", details: expect.objectContaining({ limit }) };
    await expect(store.index.importSession(NOBODY, record)).rejects.toMatchObject(error);
    expect([tables.sessionCount, tables.eventCount, tables.scopes.size]).toEqual([0, 0, 0]);
  });

  it("makes room as a new session does, and its events count", async () => {
    const record = importable(await exported(await driveChanges()));
    const driver = driveStore({ maxSessions: 1 });
    await driver.turn("old", { sessionId: "old" });
    await driver.store.index.importSession(THERE, record);
    expect(await driver.store.index.getSession(NOBODY, "old")).toBeUndefined();
    expect([driver.tables.sessionCount, driver.tables.eventCount]).toEqual([1, 4]);
    await driver.store.index.deleteSession(THERE, "s");
    expect([driver.tables.sessionCount, driver.tables.eventCount, driver.tables.scopes.size]).toEqual([0, 0, 0]);
  });

  it("hints to those who wait for its turns", async () => {
    const record = importable(await exported(await driveChanges()));
    const { store } = driveStore();
    let hints = 0;
    await store.hints.watch(THERE, "4", () => {
      hints += 1;
    });
    await store.index.importSession(THERE, record);
    await expect.poll(() => hints).toBe(1);
  });
});
