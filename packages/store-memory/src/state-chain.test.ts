import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import type { StateChain } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { contentOf, driveStore, LEASE_MS, NOBODY, type StoreDriver } from "../test/store-driver.ts";
import { MAX_DEPTH_OF_CHAIN } from "./saved-state.ts";
import type { SavedState } from "./tables.ts";

interface Talk {
  readonly text: string;
  readonly messages: readonly string[];
}

const EMPTY: Talk = { text: "", messages: [] };

/** A turn that says two things, 400 characters each, on top of the state it is given. */
async function say(
  { begun, settle }: StoreDriver,
  id: string,
  { before, ...from }: { before: Talk; branchOf?: string },
): Promise<Talk> {
  const { lease } = await begun(id, from);
  const { after, operations } = twoMore(id, before);
  await settle(lease, { content: contentOf(after, operations) });
  return after;
}

function twoMore(text: string, before: Talk): { after: Talk; operations: PatchOperation[] } {
  const said = [text.padEnd(400, "?"), text.padEnd(400, "!")];
  const operations: PatchOperation[] = [
    { op: "replace", path: "/text", value: text },
    ...said.map((value) => ({ op: "add", path: "/messages/-", value }) as const),
  ];
  return { after: { text, messages: [...before.messages, ...said] }, operations };
}

async function sayAll(driver: StoreDriver, count: number): Promise<Talk> {
  let talk = EMPTY;
  for (let n = 1; n <= count; n++) talk = await say(driver, String(n), { before: talk });
  return talk;
}

async function chain({ store }: StoreDriver, snapshotId: string, known: string[] = []): Promise<StateChain> {
  return (await store.turns.read(NOBODY, { snapshotId }, { known }))?.chain ?? { rows: [] };
}

function rebuild({ rows }: StateChain, held?: unknown): unknown {
  return rows.reduce((state, row) => {
    if (row.kind === "value") return row.value;
    if (row.kind === "operations") return applyPatch(state, row.operations);
    throw new Error(`${row.snapshotId} is ${row.kind}`);
  }, held);
}

describe("the chain of a state", () => {
  it("is the first state and what each turn changed, oldest first", async () => {
    const driver = driveStore();
    const talk = await sayAll(driver, 3);
    const { rows } = await chain(driver, "3");
    expect(rows.map(({ snapshotId, kind }) => `${snapshotId} ${kind}`)).toEqual([
      "1 value",
      "2 operations",
      "3 operations",
    ]);
    expect(rebuild({ rows })).toEqual(talk);
  });

  it("goes on after the nearest turn that the caller holds, with a state of its own or without", async () => {
    const driver = driveStore();
    const two = await sayAll(driver, 2);
    const { lease } = await driver.begun("none");
    await driver.settle(lease, { content: undefined as never });
    const last = await say(driver, "last", { before: two });
    const ids = async (known: string[]) => {
      const found = await chain(driver, "last", known);
      return [found.knownId, ...found.rows.map(({ snapshotId }) => snapshotId)];
    };
    expect(await ids(["1"])).toEqual(["1", "2", "last"]);
    expect(await ids(["1", "2"])).toEqual(["2", "last"]);
    expect(await ids(["none", "2"])).toEqual(["none", "last"]);
    expect(await ids(["last", "none"])).toEqual(["last"]);
    expect(await ids(["x"])).toEqual([undefined, "1", "2", "last"]);
    expect(rebuild(await chain(driver, "last", ["none"]), two)).toEqual(last);
  });

  it("starts anew with a whole state often enough to keep every load short", async () => {
    const driver = driveStore();
    const talk = await sayAll(driver, MAX_DEPTH_OF_CHAIN + 2);
    expect((await chain(driver, String(MAX_DEPTH_OF_CHAIN))).rows).toHaveLength(MAX_DEPTH_OF_CHAIN);
    const last = await chain(driver, String(MAX_DEPTH_OF_CHAIN + 2), ["1"]);
    expect(last.rows.map(({ kind }) => kind)).toEqual(["value", "operations"]);
    expect(last).not.toHaveProperty("knownId");
    expect(rebuild(last)).toEqual(talk);
  });

  it("of saved progress follows the state that the turn started from", async () => {
    const driver = driveStore();
    const one = await sayAll(driver, 1);
    const { lease } = await driver.begun("2");
    const { after, operations } = twoMore("half", one);
    const progress = contentOf(after, operations);
    const batch = { firstSeq: 1, events: [] };
    await driver.store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS, progress });
    driver.clock.time += LEASE_MS;
    const request = { writer: "w", leaseMs: LEASE_MS, known: ["1", "2"] };
    const claim = await driver.store.turns.claim(NOBODY, "2", request);
    expect(claim).toMatchObject({ chain: { knownId: "1", rows: [{ snapshotId: "2", kind: "operations" }] } });
  });

  it("is whole after its first rows were pruned, and for every branch of them", async () => {
    const driver = driveStore();
    const two = await sayAll(driver, 2);
    const branch = await say(driver, "branch", { before: two, branchOf: "2" });
    let talk = two;
    for (const id of ["3", "4"]) talk = await say(driver, id, { before: talk, branchOf: id === "3" ? "2" : "3" });
    expect(await driver.store.index.prune(NOBODY, "s", { keepLast: 1 }, 99)).toEqual({ dropped: 3, more: false });
    expect(rebuild(await chain(driver, "4"))).toEqual(talk);
    expect(rebuild(await chain(driver, "branch"))).toEqual(branch);
  });

  it("does not take an id that was dropped and given anew for the old state", async () => {
    const driver = driveStore();
    const talk = await sayAll(driver, 2);
    await driver.store.index.prune(NOBODY, "s", { keepLast: 1 }, 99);
    await say(driver, "1", { before: talk });
    const found = await chain(driver, "2", ["1"]);
    expect(found).not.toHaveProperty("knownId");
    expect(rebuild(found)).toEqual(talk);
  });

  it("is whole after the oldest turns of a full session were evicted", async () => {
    const driver = driveStore({ maxTurnsPerSession: 10 });
    const talk = await sayAll(driver, 300);
    const { rows } = await chain(driver, "300");
    expect(rows.length).toBeLessThanOrEqual(MAX_DEPTH_OF_CHAIN);
    expect(rebuild({ rows })).toEqual(talk);
  });
});

describe("memory", () => {
  it("grows with what was said: a thousand turns keep few lists of messages", async () => {
    const driver = driveStore();
    const { messages } = await sayAll(driver, 1_000);
    const kept = keptMessages(driver);
    expect(messages).toHaveLength(2_000);
    // Once as operations, and in eight whole states of at most all; a list per turn would be a million.
    expect(kept).toBeGreaterThanOrEqual(2_000);
    expect(kept).toBeLessThan(10_000);
  });

  it("keeps no more states than the rows left need, after eviction", async () => {
    const driver = driveStore({ maxTurnsPerSession: 10 });
    await sayAll(driver, 1_000);
    expect(reachable(driver).size).toBeLessThanOrEqual(10 + MAX_DEPTH_OF_CHAIN);
    expect(keptMessages(driver)).toBeLessThan(3 * 2_000);
  });
});

/** Every state that the tables hold, bases included. */
function reachable({ tables }: StoreDriver): Set<SavedState> {
  const states = new Set<SavedState>();
  for (const { turns } of tables.scopes.values()) {
    for (const { saved, start, opening } of turns.values()) {
      for (const from of [saved, start, opening?.parent?.saved]) {
        for (let state = from; state !== undefined; state = state.base) states.add(state);
      }
    }
  }
  return states;
}

/** Places in lists that hold a message, in all states. */
function keptMessages(driver: StoreDriver): number {
  let count = 0;
  for (const state of reachable(driver)) {
    if (state.kind === "value") count += (state.value as Talk).messages.length;
    else count += state.operations.filter(({ path }) => path.startsWith("/messages")).length;
  }
  return count;
}
