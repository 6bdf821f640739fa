import { describe, expect, it } from "vitest";
import { driveStore, NOBODY, START, type StoreDriver } from "../test/store-driver.ts";

async function kept({ store }: StoreDriver): Promise<string[]> {
  const { items } = await store.index.listTurns(NOBODY, "s", { limit: 99 });
  return items.map(({ snapshotId }) => snapshotId).reverse();
}

/** Turns 1 to 4 in a row, each a millisecond after the other, from 1_000. */
async function driveChain(): Promise<StoreDriver> {
  const driver = driveStore();
  for (const id of ["1", "2", "3", "4"]) {
    await driver.turn(id, { events: { firstSeq: 1, events: [`event of ${id}`] } });
    driver.clock.time += 1;
  }
  return driver;
}

describe("prune", () => {
  it.each([
    ["the newest of each chain", { keepLast: 2 }, ["3", "4"]],
    ["what is not older", { olderThanMs: 2 }, ["3", "4"]],
    ["what either rule keeps", { keepLast: 1, olderThanMs: 3 }, ["2", "3", "4"]],
    ["the head, however old", { olderThanMs: 0 }, ["4"]],
    ["all rows when only events are to go", { eventsOlderThanMs: 0 }, ["1", "2", "3", "4"]],
  ])("keeps %s", async (_, rule, ids) => {
    const driver = await driveChain();
    const answer = await driver.store.index.prune(NOBODY, "s", rule, 99);
    expect(await kept(driver)).toEqual(ids);
    expect(answer).toEqual({ dropped: 4 - ids.length, more: false });
  });

  it("counts a chain from each leaf, through shared ancestors", async () => {
    const driver = await driveChain();
    await driver.turn("b", { branchOf: "2" });
    await driver.store.index.prune(NOBODY, "s", { keepLast: 2 }, 99);
    expect(await kept(driver)).toEqual(["2", "3", "4", "b"]);
  });

  it("drops the oldest first, no more than the limit, and tells when there is more", async () => {
    const driver = await driveChain();
    expect(await driver.store.index.prune(NOBODY, "s", { keepLast: 1 }, 2)).toEqual({ dropped: 2, more: true });
    expect(await kept(driver)).toEqual(["3", "4"]);
    expect(await driver.store.index.prune(NOBODY, "s", { keepLast: 1 }, 2)).toEqual({ dropped: 1, more: false });
  });

  it("never drops a live turn", async () => {
    const driver = await driveChain();
    await driver.begun("live", { branchOf: "1" });
    await driver.store.index.prune(NOBODY, "s", { olderThanMs: 0 }, 99);
    expect(await kept(driver)).toEqual(["4", "live"]);
  });

  it("never drops a turn that waits for a person, until it has a completed child", async () => {
    const driver = driveStore();
    await driver.settle((await driver.begun("asks")).lease, { waiting: true });
    await driver.settle((await driver.begun("fails")).lease, { status: "failed", heads: ["failed"] });
    await driver.settle((await driver.begun("later", { branchOf: "asks" })).lease, { status: "failed" });
    const prune = () => {
      driver.clock.time += 1;
      return driver.store.index.prune(NOBODY, "s", { olderThanMs: 0 }, 99);
    };
    await prune();
    expect(await kept(driver)).toEqual(["asks", "fails"]);
    await driver.settle((await driver.begun("declined", { branchOf: "asks" })).lease, { heads: [] });
    await prune();
    expect(await kept(driver)).toEqual(["fails"]);
  });

  it("leaves the lineage of kept rows as it was, and their state whole", async () => {
    const driver = await driveChain();
    const { lease } = await driver.begun("5");
    await driver.settle(lease, { content: undefined as never });
    await driver.store.index.prune(NOBODY, "s", { keepLast: 1 }, 99);
    const read = await driver.store.turns.read(NOBODY, { snapshotId: "5" }, { known: [] });
    expect(read).toMatchObject({
      turn: { parentId: "4" },
      chain: { rows: [{ snapshotId: "4", value: { text: "after 4" } }] },
    });
    expect(await driver.status("4")).toBeUndefined();
  });

  it("drops events of settled turns that are older, and keeps the count of them", async () => {
    const { store } = await driveChain();
    expect(await store.index.prune(NOBODY, "s", { eventsOlderThanMs: 2 }, 1)).toEqual({ dropped: 0, more: true });
    expect(await store.index.prune(NOBODY, "s", { eventsOlderThanMs: 2 }, 99)).toEqual({ dropped: 0, more: false });
    const events = async (id: string) => store.events.readEvents(NOBODY, id, { after: START, limit: 9 });
    expect(await events("2")).toMatchObject({ events: [], turn: { lastSeq: 1 } });
    expect((await events("3"))?.events).toHaveLength(1);
  });

  it("knows nothing of an unknown session, and refuses a rule that says nothing or cannot be", async () => {
    const { store } = driveStore();
    expect(await store.index.prune(NOBODY, "x", { keepLast: 1 }, 1)).toEqual({ dropped: 0, more: false });
    for (const rule of [
      {},
      { keepLast: 0 },
      { keepLast: 1.5 },
      { olderThanMs: -1 },
      { eventsOlderThanMs: Number.NaN },
    ]) {
      await expect(store.index.prune(NOBODY, "x", rule, 1)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    }
    await expect(store.index.prune(NOBODY, "x", { keepLast: 1 }, 0)).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
    });
  });
});
