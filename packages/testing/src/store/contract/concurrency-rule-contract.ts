import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { closingOutcome, LOST } from "../kit/test-outcome.ts";

/** What `begin` does about another live turn of the session, and about branches. */
export const concurrencyRuleContract = contractArea(
  "two messages at once",
  {},
  {
    "reject: answers busy with the live turn, and writes nothing": async (kit) => {
      const sessionId = kit.newSession();
      const active = await kit.begun({ sessionId });
      const snapshotId = kit.newSnapshotId(sessionId);
      expect(await kit.begin({ sessionId, snapshotId })).toEqual({ type: "busy", turn: active.turn });
      expect(await kit.meta(snapshotId)).toBeUndefined();
      await kit.settle(active.lease, { status: "completed" });
      expect((await kit.begun({ sessionId, snapshotId })).turn.ordinal).toBe(2);
    },

    "reject: a turn that is aborting is live until it is settled": async (kit) => {
      const sessionId = kit.newSession();
      const active = await kit.begun({ sessionId });
      await kit.abort(active.lease.snapshotId);
      expect(await kit.begin({ sessionId })).toMatchObject({ type: "busy", turn: { status: "aborting" } });
      await kit.settle(active.lease, { status: "completed" });
      await kit.begun({ sessionId });
    },

    "interrupt: marks the live turn aborting and starts from the head without waiting": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const old = await kit.begun({ sessionId });
      const fresh = await kit.begun({ sessionId, ifActive: "interrupt" });
      expect(fresh.interrupted).toBe(old.lease.snapshotId);
      expect(fresh.turn).toMatchObject({ parentId: first.id, ordinal: 3 });
      const marked = await kit.meta(old.lease.snapshotId);
      expect(marked).toMatchObject({ status: "aborting", epoch: 1 });
      expect(marked?.version).toBeGreaterThan(old.turn.version);
    },

    "interrupt: the new turn is the active one, also after the old one has ended": async (kit) => {
      const sessionId = kit.newSession();
      const old = await kit.begun({ sessionId });
      const fresh = await kit.begun({ sessionId, ifActive: "interrupt" });
      const busy = { type: "busy", turn: { snapshotId: fresh.lease.snapshotId } };
      expect(await kit.begin({ sessionId })).toMatchObject(busy);
      expect((await kit.settle(old.lease, { status: "completed" })).turn?.status).toBe("aborted");
      expect(await kit.begin({ sessionId })).toMatchObject(busy);
    },

    "interrupt: without a live turn it is a plain begin": async (kit) => {
      const sessionId = kit.newSession();
      const begun = await kit.begun({ sessionId, ifActive: "interrupt" });
      expect(begun.interrupted).toBeUndefined();
    },

    "fork: starts beside the live turn, which stays the active one": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const old = await kit.begun({ sessionId });
      const fork = await kit.begun({ sessionId, ifActive: "fork" });
      expect(fork.turn.parentId).toBe(first.id);
      expect(fork.interrupted).toBeUndefined();
      expect(await kit.meta(old.lease.snapshotId)).toEqual(old.turn);
      const busy = { type: "busy", turn: { snapshotId: old.lease.snapshotId } };
      expect(await kit.begin({ sessionId })).toMatchObject(busy);
      await kit.settle(fork.lease, { status: "completed" });
      expect(await kit.begin({ sessionId })).toMatchObject(busy);
    },

    "forked: a session with two finished branches is refused on request, and otherwise continues the newest": async (
      kit,
    ) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      await kit.complete({ sessionId, after: first, ifForked: "reject" });
      const newest = await kit.complete({ branchOf: first.id, after: first });
      expect(await kit.begin({ sessionId, ifForked: "reject" })).toEqual({ type: "forked" });
      expect((await kit.begun({ sessionId })).turn.parentId).toBe(newest.id);
    },

    "forked: once forked, a session stays so": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      await kit.complete({ sessionId, after: first });
      const newest = await kit.complete({ branchOf: first.id, after: first });
      await kit.complete({ sessionId, after: newest });
      expect(await kit.begin({ sessionId, ifForked: "reject" })).toEqual({ type: "forked" });
    },

    "forked: a branch counts when it becomes resumable, and not before": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const branch = await kit.begun({ branchOf: first.id });
      await kit.complete({ sessionId, after: first, ifForked: "reject" });
      const next = await kit.begun({ sessionId, ifForked: "reject" });
      await kit.settle(next.lease, { status: "failed" });
      await kit.settle(branch.lease, { status: "completed" });
      expect(await kit.begin({ sessionId, ifForked: "reject" })).toEqual({ type: "forked" });
    },

    "forked: a turn that moves no head is no branch": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      await kit.complete({ sessionId, after: first });
      await kit.complete({ branchOf: first.id, after: first, heads: [] });
      await kit.begun({ sessionId, ifForked: "reject" });
    },

    "forked: the refusal comes before any effect": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      await kit.complete({ sessionId, after: first });
      await kit.complete({ branchOf: first.id, after: first });
      const active = await kit.begun({ sessionId });
      expect(await kit.begin({ sessionId, ifActive: "interrupt", ifForked: "reject" })).toEqual({ type: "forked" });
      expect(await kit.meta(active.lease.snapshotId)).toEqual(active.turn);
    },

    "forked: a failed or aborted turn is no branch": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      for (const status of ["failed", "aborted"] as const) {
        const { lease } = await kit.begun({ sessionId });
        await kit.settle(lease, { status });
      }
      await kit.complete({ sessionId, after: first });
      await kit.begun({ sessionId, ifForked: "reject" });
    },

    "stale: closes a stale active turn as lost, raises its epoch and goes on from the head": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const lost = await kit.stale({ sessionId });
      const begun = await kit.begun({ sessionId });
      expect(begun.closed).toBe(lost.lease.snapshotId);
      expect(begun.turn).toMatchObject({ parentId: first.id, ordinal: 3 });
      const closed = await kit.meta(lost.lease.snapshotId);
      expect(closed).toMatchObject({ status: "failed", result: '{"error":"lease lost"}', epoch: 2, stale: false });
      expect(closed?.heartbeatAt).toBeUndefined();
    },

    "stale: a turn that was aborting is closed with the outcome for that": async (kit) => {
      const sessionId = kit.newSession();
      const { snapshotId } = (await kit.staleAborting({ sessionId })).lease;
      expect((await kit.begun({ sessionId })).closed).toBe(snapshotId);
      expect(await kit.meta(snapshotId)).toMatchObject({
        status: "aborted",
        result: '{"error":"lease lost while aborting"}',
        epoch: 2,
      });
    },

    "stale: the closed turn becomes the head if the call says so": async (kit) => {
      const sessionId = kit.newSession();
      await kit.complete({ sessionId });
      const lost = await kit.stale({ sessionId });
      const begun = await kit.begun({
        sessionId,
        resumable: ["completed", "failed"],
        lost: { ...LOST, heads: ["failed"] },
      });
      expect(begun.turn.parentId).toBe(lost.lease.snapshotId);
    },

    "stale: closes it whatever the rule for live turns is": async (kit) => {
      for (const ifActive of ["interrupt", "fork"] as const) {
        const sessionId = kit.newSession();
        const lost = await kit.stale({ sessionId });
        const begun = await kit.begun({ sessionId, ifActive });
        expect([begun.closed, begun.interrupted], ifActive).toEqual([lost.lease.snapshotId, undefined]);
        expect(await kit.begin({ sessionId })).toMatchObject({ turn: { snapshotId: begun.lease.snapshotId } });
      }
    },

    "stale: the closed turn's worker is refused when it wakes up": async (kit) => {
      const sessionId = kit.newSession();
      const lost = await kit.stale({ sessionId });
      await kit.begun({ sessionId });
      expect(await kit.settle(lost.lease, { status: "completed" })).toMatchObject({
        ok: false,
        turn: { status: "failed", epoch: 2 },
      });
      const [beat] = await kit.heartbeat([lost.lease], 60_000);
      expect(beat).toMatchObject({ ok: false, turn: { status: "failed" } });
    },

    "stale: a stale branch does not concern sends to the session": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const branch = await kit.stale({ branchOf: first.id });
      const begun = await kit.begun({ sessionId, lost: UNWANTED });
      expect(begun.closed).toBeUndefined();
      expect(await kit.meta(branch.lease.snapshotId)).toMatchObject({ status: "pending", stale: true });
    },
  },
);

const unwanted = closingOutcome({ status: "aborted", result: '"must not be written"' });
const UNWANTED = { pending: unwanted, aborting: unwanted, heads: ["aborted"] as const };
