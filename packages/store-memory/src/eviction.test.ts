import { describe, expect, it } from "vitest";
import { driveStore, LEASE_MS, NOBODY, START, type StoreDriver } from "../test/store-driver.ts";
import { createMemoryStore } from "./create-memory-store.ts";

async function sessions({ store }: StoreDriver): Promise<string[]> {
  const { items } = await store.index.listSessions(NOBODY, { limit: 99 });
  return items.map(({ sessionId }) => sessionId);
}

describe("maxSessions", () => {
  it("evicts the least recently changed session, over all scopes", async () => {
    const driver = driveStore({ maxSessions: 2 });
    await driver.turn("1", { sessionId: "x" });
    await driver.turn("2", { sessionId: "y" });
    await driver.turn("3", { sessionId: "x" });
    await driver.begun("4", { caller: { scope: "t" } });
    expect(await sessions(driver)).toEqual(["x"]);
    expect(await driver.status("2")).toBeUndefined();
  });

  it("never evicts a session with a turn that is live or waits for a person, and says when none is left", async () => {
    const driver = driveStore({ maxSessions: 3 });
    await driver.begun("live", { sessionId: "live" });
    await driver.settle((await driver.begun("asks", { sessionId: "asks" })).lease, { waiting: true });
    const { lease } = await driver.begun("done", { sessionId: "done" });
    const full = { status: "RESOURCE_EXHAUSTED", message: expect.stringContaining("maxSessions is 3") };
    await expect(driver.begin("n", { sessionId: "new" })).rejects.toMatchObject(full);
    await expect(driver.store.index.createSession(NOBODY, { sessionId: "new", agent: "a" })).rejects.toMatchObject(
      full,
    );
    await driver.settle(lease);
    await driver.begun("n", { sessionId: "new" });
    expect(await sessions(driver)).toEqual(["new", "asks", "live"]);
    await driver.turn("answer", { sessionId: "asks" });
    await driver.begun("m", { sessionId: "newer" });
    expect(await sessions(driver)).toEqual(["newer", "new", "live"]);
  });
});

describe("maxTurnsPerSession", () => {
  it("evicts the oldest tenth, never live turns, the head, those that wait, or the parent of the new one", async () => {
    const driver = driveStore({ maxTurnsPerSession: 20 });
    await driver.turn("old");
    await driver.begun("live", { branchOf: "old" });
    await driver.settle((await driver.begun("asks")).lease, { waiting: true });
    await driver.settle((await driver.begun("fails")).lease, { status: "failed" });
    for (let n = 5; n <= 20; n++) await driver.turn(String(n), n === 5 ? { branchOf: "old" } : {});
    await driver.turn("21", { branchOf: "old" });
    const { items } = await driver.store.index.listTurns(NOBODY, "s", { limit: 99 });
    expect(items).toHaveLength(19);
    expect(items.map(({ snapshotId }) => snapshotId).slice(-4)).toEqual(["6", "asks", "live", "old"]);
    expect((await driver.store.health()).warnings[1]).toContain("2 turns");
  });

  it("is never exceeded, and says when nothing may go", async () => {
    const driver = driveStore({ maxTurnsPerSession: 3 });
    for (let n = 1; n <= 50; n++) await driver.turn(String(n));
    expect((await driver.store.index.listTurns(NOBODY, "s", { limit: 99 })).items).toHaveLength(3);
    await driver.begun("a", { branchOf: "50" });
    await driver.begun("b", { branchOf: "50" });
    await expect(driver.begin("c", { branchOf: "50" })).rejects.toMatchObject({
      status: "RESOURCE_EXHAUSTED",
      details: { limit: "maxTurnsPerSession", value: 3 },
    });
  });
});

describe("maxEvents", () => {
  const two = { firstSeq: 1, events: ["one", "two"] };
  const count = async ({ store }: StoreDriver, id: string) =>
    (await store.events.readEvents(NOBODY, id, { after: START, limit: 9 }))?.events.length;

  it("drops the events of the turns that settled longest ago", async () => {
    const driver = driveStore({ maxEvents: 4 });
    for (const id of ["a", "b", "c"]) await driver.turn(id, { events: two });
    expect([await count(driver, "a"), await count(driver, "b"), await count(driver, "c")]).toEqual([0, 2, 2]);
  });

  it("refuses what only live turns fill, and lets a turn end all the same", async () => {
    const driver = driveStore({ maxEvents: 2 });
    const { lease } = await driver.begun("a", { events: two });
    const batch = { firstSeq: 3, events: ["three"] };
    const full = { status: "RESOURCE_EXHAUSTED", message: expect.stringContaining("maxEvents") };
    await expect(driver.store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS })).rejects.toMatchObject(full);
    expect(await count(driver, "a")).toBe(2);
    expect(await driver.settle(lease, { events: batch })).toMatchObject({ ok: true, turn: { lastSeq: 3 } });
  });

  it("counts no events of turns that are gone", async () => {
    const driver = driveStore({ maxEvents: 2 });
    for (let n = 0; n < 5; n++) {
      await driver.begun(`a${n}`, { events: two });
      await driver.store.index.deleteSession(NOBODY, "s");
    }
    await driver.begun("b", { events: two });
  });
});

it.each([
  ["maxSessions", 0],
  ["maxTurnsPerSession", 1],
  ["maxEvents", 1.5],
  ["maxSessions", Number.NaN],
])("%s of %s is refused when the store is made", (name, value) => {
  expect(() => createMemoryStore({ [name]: value })).toThrow(
    expect.objectContaining({ status: "INVALID_ARGUMENT", message: expect.stringContaining(name) }),
  );
});
