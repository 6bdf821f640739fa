import { expect, it } from "vitest";
import { driveStore, NOBODY, START, STOP } from "../test/store-driver.ts";

it("says that it does not last", async () => {
  const health = await driveStore().store.health();
  expect(health).toEqual({ durable: false, warnings: [expect.stringContaining("lost when it exits")] });
});

it("does its work before it returns its promise, so that calls never interleave", async () => {
  const { begin, store } = driveStore();
  const calls = [begin("a"), begin("b"), store.turns.requestAbort(NOBODY, "a", STOP), begin("a")];
  expect(await Promise.all(calls)).toMatchObject([
    { type: "begun", turn: { status: "pending" } },
    { type: "busy", turn: { snapshotId: "a" } },
    { after: { status: "aborting" } },
    { type: "existing", turn: { status: "aborting" } },
  ]);
});

it("rejects every call after close, which may be repeated", async () => {
  const { begun, settle, store } = driveStore();
  const { lease } = await begun("a");
  await store.close();
  await store.close();
  const page = { limit: 1 };
  const calls = [
    () => begun("b"),
    () => settle(lease),
    () => store.turns.heartbeat([{ caller: NOBODY, lease }], 1),
    () => store.turns.requestAbort(NOBODY, "a", STOP),
    () => store.turns.claim(NOBODY, "a", { writer: "w", leaseMs: 1, known: [] }),
    () => store.turns.read(NOBODY, { snapshotId: "a" }, "meta"),
    () => store.events.append(NOBODY, lease, { batch: { firstSeq: 1, events: [] }, leaseMs: 1 }),
    () => store.events.readEvents(NOBODY, "a", { after: START, limit: 1 }),
    () => store.hints.watch(NOBODY, "a", () => undefined),
    () => store.index.createSession(NOBODY, { sessionId: "s", agent: "a" }),
    () => store.index.getSession(NOBODY, "s"),
    () => store.index.listSessions(NOBODY, page),
    () => store.index.listTurns(NOBODY, "s", page),
    () => store.index.updateSession(NOBODY, "s", {}),
    () => store.index.deleteSession(NOBODY, "s"),
    () => store.index.prune(NOBODY, "s", { keepLast: 1 }, 1),
    () => store.health(),
  ];
  for (const call of calls) await expect(call(), String(call)).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
});
