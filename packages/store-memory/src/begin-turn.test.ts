import { describe, expect, it } from "vitest";
import { content, driveStore, LEASE_MS, NOBODY, START, STOP } from "../test/store-driver.ts";

describe("begin checks in this order", () => {
  it("an existing id comes first, before an archived session", async () => {
    const { begin, begun, store } = driveStore();
    await begun("a", { fingerprint: "f" });
    await store.index.updateSession(NOBODY, "s", { state: "archived" });
    expect(await begin("a", { fingerprint: "f" })).toMatchObject({ type: "existing", turn: { snapshotId: "a" } });
    expect(await begin("a", { fingerprint: "g" })).toMatchObject({ type: "conflict", turn: { snapshotId: "a" } });
  });

  it("an archived session comes before a turn that is live or stale there", async () => {
    const { begin, stale, store, status } = driveStore();
    await stale("a");
    await store.index.updateSession(NOBODY, "s", { state: "archived" });
    expect(await begin("b")).toEqual({ type: "archived" });
    expect(await status("a")).toBe("pending");
  });

  it("an archived session takes no branch either, and again both once it is active", async () => {
    const { begin, turn, store } = driveStore();
    await turn("a");
    await store.index.updateSession(NOBODY, "s", { state: "archived" });
    expect(await begin("b", { branchOf: "a" })).toEqual({ type: "archived" });
    await store.index.updateSession(NOBODY, "s", { state: "active" });
    expect((await begin("b", { branchOf: "a" })).type).toBe("begun");
  });

  it("a forked session comes before a turn that is live or stale there, which stays as it is", async () => {
    const { begin, begun, turn, clock, status } = driveStore();
    await turn("a");
    await turn("b");
    await turn("c", { branchOf: "a" });
    await begun("d");
    const reject = { ifForked: "reject", ifActive: "interrupt" } as const;
    expect(await begin("e", reject)).toEqual({ type: "forked" });
    clock.time += LEASE_MS;
    expect(await begin("e", reject)).toEqual({ type: "forked" });
    expect(await status("d")).toBe("pending");
    expect(await begun("e")).toMatchObject({ closed: "d" });
  });

  it("a branch from a turn whose status is not resumable is refused, a send to a session with such a head is not", async () => {
    const { begin, begun, settle } = driveStore();
    await settle((await begun("a")).lease, { status: "failed", heads: ["failed"] });
    expect(await begin("b", { branchOf: "a" })).toMatchObject({ type: "notResumable", turn: { snapshotId: "a" } });
    expect((await begin("b", { branchOf: "a", resumable: ["failed"] })).type).toBe("begun");
    expect(await begun("c")).toMatchObject({ turn: { parentId: "a" } });
  });

  it("want of room comes before a turn that is live is interrupted", async () => {
    const { begin, begun, status } = driveStore({ maxTurnsPerSession: 2 });
    await begun("a");
    await begun("b", { ifActive: "fork" });
    await expect(begin("c", { ifActive: "interrupt" })).rejects.toMatchObject({ status: "RESOURCE_EXHAUSTED" });
    expect(await status("a")).toBe("pending");
  });
});

describe("a repeated begin", () => {
  const known: string[] = [];

  it("of the same writer is answered as the first was, and changes nothing", async () => {
    const { begin, stale, turn, store } = driveStore();
    await turn("a");
    await stale("b");
    const request = { writer: "w", events: { firstSeq: 1, events: ["one"] } };
    const first = await begin("c", request);
    expect(first).toMatchObject({ type: "begun", closed: "b", parent: { snapshotId: "a" } });
    expect(await begin("c", request)).toEqual(first);
    expect((await store.events.readEvents(NOBODY, "c", { after: START, limit: 9 }))?.events).toHaveLength(1);
  });

  it("starts from the parent, though progress was saved and the parent was dropped meanwhile", async () => {
    const { begin, begun, turn, clock, store } = driveStore();
    await turn("a");
    const first = await begun("b", { branchOf: "a", writer: "w" });
    await turn("c");
    const batch = { firstSeq: 1, events: [] };
    await store.events.append(NOBODY, first.lease, { batch, leaseMs: LEASE_MS, progress: content("half") });
    clock.time += 1;
    await store.index.prune(NOBODY, "s", { olderThanMs: 0 }, 9);
    const { lease, parent, chain } = first;
    expect(await begin("b", { branchOf: "a", writer: "w" })).toMatchObject({ type: "begun", lease, parent, chain });
  });

  it.each(["settled", "claimed"])("finds the turn existing once it is %s", async (how) => {
    const { begin, stale, settle, store } = driveStore();
    const { lease } = await stale("a", { writer: "w", fingerprint: "f" });
    if (how === "settled") await settle(lease);
    else await store.turns.claim(NOBODY, "a", { writer: "w", leaseMs: LEASE_MS, known });
    expect((await begin("a", { writer: "w", fingerprint: "f" })).type).toBe("existing");
    expect((await begin("a", { writer: "w", fingerprint: "g" })).type).toBe("conflict");
  });
});

describe("a send to a session", () => {
  it.each([
    [true, "begun"],
    [false, "notFound"],
  ])("with create %s to an unknown session is %s", async (create, type) => {
    expect((await driveStore().begin("a", { create })).type).toBe(type);
  });

  it("closes a stale turn with `lost`, raises its epoch and leaves the head alone", async () => {
    const { begun, turn, stale, settle, store } = driveStore();
    await turn("a");
    const { lease } = await stale("b");
    expect(await begun("c")).toMatchObject({ closed: "b", turn: { parentId: "a", ordinal: 3 } });
    const late = await settle(lease);
    expect(late).toMatchObject({ ok: false, turn: { status: "failed", result: "lost", epoch: 2 } });
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ headId: "a", activeId: "c" });
  });

  it("lets the stale turn that it closes become the head as `lost.heads` says, and continues from it", async () => {
    const { begun, stale, store } = driveStore();
    await stale("a", { events: { firstSeq: 1, events: ["one"] } });
    const pending = { status: "failed", result: "lost", events: ["two", "three"], content: content("rest") } as const;
    const lost = { pending, aborting: STOP.outcome, heads: ["failed"] } as const;
    expect(await begun("b", { lost })).toMatchObject({ closed: "a", parent: { snapshotId: "a", lastSeq: 3 } });
    const read = await store.events.readEvents(NOBODY, "a", { after: START, limit: 9 });
    expect(read?.events.map(({ seq, epoch, json }) => [seq, epoch, json])).toEqual([
      [1, 1, "one"],
      [2, 2, "two"],
      [3, 2, "three"],
    ]);
  });

  it("closes a stale turn that was aborting as aborted", async () => {
    const { begun, stale, store, status } = driveStore();
    const { lease } = await begun("a");
    await store.turns.requestAbort(NOBODY, "a", STOP);
    await stale("x", { sessionId: "other" });
    expect(lease.epoch).toBe(1);
    expect(await begun("b")).toMatchObject({ closed: "a" });
    expect(await status("a")).toBe("aborted");
  });

  it("that interrupts makes the live turn aborting, takes its place, and repeats without a further change", async () => {
    const { begun, begin, store } = driveStore();
    await begun("a");
    expect(await begun("b", { ifActive: "interrupt" })).toMatchObject({ interrupted: "a" });
    expect((await begin("b", { ifActive: "interrupt" })).type).toBe("existing");
    const read = await store.turns.read(NOBODY, { snapshotId: "a" }, "meta");
    expect(read?.turn).toMatchObject({ status: "aborting", version: 2, epoch: 1 });
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ activeId: "b" });
  });

  it("that forks leaves the live turn active", async () => {
    const { begun, store } = driveStore();
    await begun("a");
    await begun("b", { ifActive: "fork" });
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ activeId: "a" });
  });

  it("refuses first events that are not numbered from 1", async () => {
    await expect(driveStore().begin("a", { events: { firstSeq: 2, events: ["e"] } })).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
    });
  });
});

describe("a branch", () => {
  it.each([
    ["a", "s", "begun"],
    ["a", "other", "otherSession"],
    ["nowhere", "s", "notFound"],
  ])("from %s in session %s is %s", async (snapshotId, sessionId, type) => {
    const { begin, turn } = driveStore();
    await turn("a");
    await turn("x", { sessionId: "other" });
    expect((await begin("b", { from: { snapshotId, sessionId } })).type).toBe(type);
  });

  it("never is the active turn, and is allowed beside one", async () => {
    const { begun, turn, store } = driveStore();
    await turn("a");
    await begun("b");
    await begun("c", { branchOf: "a" });
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ activeId: "b", headId: "a" });
  });
});

describe("a session is forked", () => {
  const reject = { ifForked: "reject" } as const;

  it("when a turn that can be continued does not continue the head", async () => {
    const { begin, begun, turn, settle } = driveStore();
    await turn("a");
    const branch = await begun("b", { branchOf: "a" });
    await turn("c", reject);
    expect((await begin("d", reject)).type).toBe("begun");
    await settle(branch.lease);
    expect(await begin("e", { ...reject, ifActive: "fork" })).toEqual({ type: "forked" });
    expect((await begin("e", { ifActive: "fork" })).type).toBe("begun");
  });

  it("not by a branch from the head, nor by turns that failed", async () => {
    const { begun, turn, settle } = driveStore();
    await turn("a");
    await turn("b", { branchOf: "a" });
    await settle((await begun("c", reject)).lease, { status: "failed" });
    await begun("d", { ...reject, branchOf: "a" });
    await begun("e", reject);
  });

  it("not by a continued turn that was no head, as one whose snapshot was declined", async () => {
    const { begun, turn, settle } = driveStore();
    await turn("a");
    await settle((await begun("declined")).lease, { heads: [] });
    await turn("b", { branchOf: "declined" });
    await begun("c", reject);
  });
});

describe("the state to start from", () => {
  it("is the frozen value itself, where there is nothing that it changes", async () => {
    const { begun, settle } = driveStore();
    const state = content("x");
    await settle((await begun("a")).lease, { content: state });
    const { chain, parent } = await begun("b");
    expect(chain).toEqual({ rows: [{ snapshotId: "a", kind: "value", value: state.value }] });
    expect(chain.rows[0]).toHaveProperty("value", state.value);
    expect(parent).toMatchObject({ snapshotId: "a", state: { stateHash: "hash of x", loadRows: 1 } });
  });

  it("is not sent to a caller that holds it", async () => {
    const { begun, turn } = driveStore();
    await turn("a");
    expect((await begun("b", { known: ["z", "a"] })).chain).toEqual({ knownId: "a", rows: [] });
  });

  it("is the parent's where a turn kept none of its own, at any distance", async () => {
    const { begun, turn, settle } = driveStore();
    await turn("a");
    for (const id of ["b", "c"]) {
      const { lease } = await begun(id);
      await settle(lease, { content: undefined as never });
    }
    expect((await begun("d")).chain.rows).toMatchObject([{ snapshotId: "a", kind: "value" }]);
    expect((await begun("e", { branchOf: "c", known: ["a"] })).chain).toEqual({ knownId: "a", rows: [] });
    expect((await begun("f", { branchOf: "c", known: ["c", "a"] })).chain).toEqual({ knownId: "c", rows: [] });
  });
});

it("a lease has run out when its time has passed, by the store's clock", async () => {
  const { begun, clock, store } = driveStore();
  await begun("a");
  clock.time += LEASE_MS - 1;
  expect(await store.turns.read(NOBODY, { snapshotId: "a" }, "meta")).toMatchObject({ turn: { stale: false } });
  clock.time += 1;
  expect(await store.turns.read(NOBODY, { snapshotId: "a" }, "meta")).toMatchObject({ turn: { stale: true } });
});
