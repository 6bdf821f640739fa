import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { figuresOf, fullContent } from "../kit/state-content.ts";

export const abortContract = contractArea(
  "abort",
  {},
  {
    "marks a fresh turn aborting and leaves its worker to settle it": async (kit) => {
      const begun = await kit.begun({ sessionId: kit.newSession() });
      const { snapshotId } = begun.lease;
      const aborted = await kit.abort(snapshotId, { result: '"not written"' });
      expect(aborted?.before).toEqual(begun.turn);
      expect(aborted?.after).toMatchObject({ status: "aborting", epoch: 1, stale: false });
      expect(aborted?.after.result).toBeUndefined();
      expect(aborted?.after.version).toBeGreaterThan(begun.turn.version);
      expect(await kit.meta(snapshotId)).toEqual(aborted?.after);
      const [beat] = await kit.heartbeat([begun.lease], 60_000);
      expect(beat).toMatchObject({ ok: true, turn: { status: "aborting" } });
    },

    "settles a stale turn at once, with the outcome given, and fences its worker": async (kit) => {
      const sessionId = kit.newSession();
      const begun = await kit.stale({ sessionId });
      const content = fullContent({ sessionId, messages: ["last finished"], artifacts: [] });
      const aborted = await kit.abort(begun.lease.snapshotId, { result: '"gone"', content });
      expect(aborted?.before).toEqual({ ...begun.turn, stale: true });
      expect(aborted?.after).toMatchObject({ status: "aborted", result: '"gone"', epoch: 2, stale: false });
      expect(aborted?.after.state).toEqual(figuresOf(content));
      expect(aborted?.after.heartbeatAt).toBeUndefined();
      expect(await kit.meta(begun.lease.snapshotId)).toEqual(aborted?.after);
    },

    "settles a stale turn that was aborting already": async (kit) => {
      const { lease } = await kit.staleAborting({ sessionId: kit.newSession() });
      expect(await kit.meta(lease.snapshotId)).toMatchObject({ status: "aborting", stale: true });
      expect(await kit.abort(lease.snapshotId)).toMatchObject({
        before: { status: "aborting", stale: true },
        after: { status: "aborted", epoch: 2 },
      });
    },

    "frees the session when it settles its stale active turn": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.stale({ sessionId });
      await kit.abort(lease.snapshotId);
      const next = await kit.begun({ sessionId });
      expect(next.closed).toBeUndefined();
    },

    "changes nothing about a final row": async (kit) => {
      for (const status of ["completed", "failed", "aborted"] as const) {
        const { lease } = await kit.begun({ sessionId: kit.newSession() });
        const { turn } = await kit.settle(lease, { status });
        expect(await kit.abort(lease.snapshotId, { result: '"late"' })).toEqual({ before: turn, after: turn });
        expect(await kit.meta(lease.snapshotId)).toEqual(turn);
      }
    },

    "changes nothing when it is repeated": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const first = await kit.abort(lease.snapshotId);
      const second = await kit.abort(lease.snapshotId);
      expect(second).toEqual({ before: first?.after, after: first?.after });
    },

    "answers undefined for an unknown id": async (kit) => {
      expect(await kit.abort(kit.newSnapshotId(kit.newSession()))).toBeUndefined();
    },

    "works on branches and leaves the active turn alone": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const active = await kit.begun({ sessionId });
      const branch = await kit.begun({ branchOf: first.id });
      await kit.abort(branch.lease.snapshotId);
      await kit.settle(branch.lease, { status: "completed" });
      expect(await kit.begin({ sessionId })).toEqual({ type: "busy", turn: active.turn });
    },
  },
);
