import { describe, expect, it } from "vitest";
import { content, driveStore, LEASE_MS, NOBODY, START, STOP } from "../test/store-driver.ts";

describe("heartbeat", () => {
  it("renews each lease by itself, for its own caller, and answers in the order asked", async () => {
    const { begun, turn, clock, store } = driveStore();
    const live = await begun("a");
    const final = await turn("b", { sessionId: "t" });
    clock.time += 10;
    const unknown = { snapshotId: "x", sessionId: "s", epoch: 1 };
    const taken = { ...live.lease, epoch: 9 };
    const other = await begun("c", { caller: { scope: "t", owner: "ann" } });
    const leases = [unknown, final.lease, live.lease, taken].map((lease) => ({ caller: NOBODY, lease }));
    leases.push({ caller: { scope: "t" }, lease: other.lease }, { caller: NOBODY, lease: other.lease });
    const answers = await store.turns.heartbeat(leases, LEASE_MS);
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, true, false, true, false]);
    expect(answers[0]).toEqual({ ok: false });
    expect(answers[2]).toMatchObject({ turn: { heartbeatAt: clock.time, version: 1 } });
    expect(answers[1]?.turn).not.toHaveProperty("heartbeatAt");
  });

  it("revives a turn whose lease ran out", async () => {
    const { stale, store } = driveStore();
    const { lease } = await stale("a");
    const [answer] = await store.turns.heartbeat([{ caller: NOBODY, lease }], LEASE_MS);
    expect(answer).toMatchObject({ ok: true, turn: { status: "pending", stale: false, epoch: 1 } });
  });
});

describe("requestAbort", () => {
  it("writes the last events of a turn without a worker after those stored, under the raised epoch", async () => {
    const { stale, store } = driveStore();
    await stale("a", { events: { firstSeq: 1, events: ["one"] } });
    await store.turns.requestAbort(NOBODY, "a", { ...STOP, heads: ["aborted"] });
    const read = await store.events.readEvents(NOBODY, "a", { after: START, limit: 9 });
    expect(read?.events[1]).toEqual({ seq: 2, epoch: 2, json: "stopped" });
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ headId: "a" });
  });

  it("marks a turn that has a worker, and repeated changes nothing", async () => {
    const { begun, store } = driveStore();
    await begun("a");
    const first = await store.turns.requestAbort(NOBODY, "a", STOP);
    expect(first).toMatchObject({ before: { status: "pending" }, after: { status: "aborting", version: 2 } });
    const again = await store.turns.requestAbort(NOBODY, "a", STOP);
    expect(again?.before).toEqual(first?.after);
    expect(again?.after).toEqual(first?.after);
  });

  it("ends a turn that has none, and its writer is refused", async () => {
    const { stale, settle, store } = driveStore();
    const { lease } = await stale("a");
    const answer = await store.turns.requestAbort(NOBODY, "a", STOP);
    expect(answer?.before).toMatchObject({ status: "pending", stale: true });
    expect(answer?.after).toMatchObject({ status: "aborted", stale: false, epoch: 2, result: "stopped" });
    expect((await settle(lease)).ok).toBe(false);
    expect(await store.index.getSession(NOBODY, "s")).not.toHaveProperty("activeId");
  });

  it("leaves a final turn as it is, and knows no other", async () => {
    const { turn, store } = driveStore();
    await turn("a");
    const answer = await store.turns.requestAbort(NOBODY, "a", STOP);
    expect(answer?.after).toEqual(answer?.before);
    expect(await store.turns.requestAbort(NOBODY, "x", STOP)).toBeUndefined();
  });
});

describe("claim", () => {
  const options = { writer: "claimer", leaseMs: LEASE_MS, known: [] };

  it("takes a stale pending turn: the next epoch, its input and the state it started from", async () => {
    const { stale, settle, turn, store } = driveStore();
    await turn("a");
    const { lease } = await stale("b");
    const claim = await store.turns.claim(NOBODY, "b", options);
    expect(claim).toMatchObject({ type: "claimed", lease: { epoch: 2 }, input: "input of b" });
    expect(claim).toMatchObject({ turn: { stale: false, status: "pending", version: 2 } });
    expect(claim).toMatchObject({ chain: { rows: [{ snapshotId: "a", value: { text: "after a" } }] } });
    expect(await settle(lease)).toMatchObject({ ok: false, turn: { epoch: 2 } });
    expect((await settle({ ...lease, epoch: 2 })).ok).toBe(true);
  });

  it("repeated by the same writer is answered as the first was; another finds the turn taken", async () => {
    const { stale, settle, store } = driveStore();
    const { lease } = await stale("a", { writer: "claimer" });
    const first = await store.turns.claim(NOBODY, "a", options);
    expect(first).toMatchObject({ type: "claimed", lease: { epoch: 2 } });
    expect(await store.turns.claim(NOBODY, "a", options)).toEqual(first);
    expect((await store.turns.claim(NOBODY, "a", { ...options, writer: "other" })).type).toBe("refused");
    await settle({ ...lease, epoch: 2 });
    expect((await store.turns.claim(NOBODY, "a", options)).type).toBe("refused");
  });

  it("goes on from saved progress, of which a caller never holds the newest by name", async () => {
    const { begun, clock, store } = driveStore();
    const { lease } = await begun("a");
    const batch = { firstSeq: 1, events: ["one"] };
    await store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS, progress: content("half") });
    clock.time += LEASE_MS;
    const claim = await store.turns.claim(NOBODY, "a", { ...options, known: ["a"] });
    expect(claim).toMatchObject({ chain: { rows: [{ snapshotId: "a", value: { text: "half" } }] } });
  });

  it("is refused for a live turn, a final one, and a stale one that was aborting", async () => {
    const { begun, turn, clock, store } = driveStore();
    await turn("final");
    await begun("live");
    expect((await store.turns.claim(NOBODY, "final", options)).type).toBe("refused");
    expect((await store.turns.claim(NOBODY, "live", options)).type).toBe("refused");
    await store.turns.requestAbort(NOBODY, "live", STOP);
    clock.time += LEASE_MS;
    expect((await store.turns.claim(NOBODY, "live", options)).type).toBe("refused");
    expect(await store.turns.claim(NOBODY, "x", options)).toEqual({ type: "notFound" });
  });
});

describe("read by session", () => {
  it("gives the newest by ordinal among the statuses asked for", async () => {
    const { begun, settle, turn, store } = driveStore();
    await turn("a");
    await settle((await begun("b")).lease, { status: "failed" });
    await begun("c");
    const newest = async (...among: ("completed" | "failed" | "aborted" | "pending")[]) =>
      (await store.turns.read(NOBODY, { sessionId: "s", among }, "meta"))?.turn.snapshotId;
    expect(await newest("completed")).toBe("a");
    expect(await newest("completed", "failed")).toBe("b");
    expect(await newest("completed", "pending")).toBe("c");
    expect(await newest("aborted")).toBeUndefined();
    expect(await newest()).toBeUndefined();
  });

  it("finds the next newest when that was pruned", async () => {
    const { begun, settle, turn, clock, store } = driveStore();
    await turn("a");
    for (const id of ["f1", "f2"]) await settle((await begun(id)).lease, { status: "failed" });
    clock.time += 10;
    await turn("b");
    const at = { sessionId: "s", among: ["failed"] } as const;
    expect(await store.turns.read(NOBODY, at, "meta")).toMatchObject({ turn: { snapshotId: "f2" } });
    await store.index.prune(NOBODY, "s", { olderThanMs: 1 }, 2);
    expect(await store.turns.read(NOBODY, at, "meta")).toMatchObject({ turn: { snapshotId: "f2" } });
    await store.index.prune(NOBODY, "s", { olderThanMs: 1 }, 2);
    expect(await store.turns.read(NOBODY, at, "meta")).toBeUndefined();
  });
});
