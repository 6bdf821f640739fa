import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { loadState } from "../kit/load-state.ts";
import { type Begun, present, type StoreKit } from "../kit/store-kit.ts";

export const beginContract = contractArea(
  "begin",
  {},
  {
    "makes an unknown session, with a pending first turn under epoch 1": async (kit) => {
      const sessionId = kit.newSession();
      const snapshotId = kit.newSnapshotId(sessionId);
      const begun = await kit.begun({ sessionId, snapshotId, agent: "helper" });
      expect(begun.lease).toEqual({ snapshotId, sessionId, epoch: 1 });
      expect(begun.turn).toMatchObject({
        snapshotId,
        sessionId,
        agent: "helper",
        ordinal: 1,
        status: "pending",
        stale: false,
        epoch: 1,
        lastSeq: 0,
      });
      expect(begun.turn.parentId).toBeUndefined();
      expect(begun.turn.state).toBeUndefined();
      expect(begun.turn.heartbeatAt).toBeTypeOf("number");
      expect([begun.parent, begun.interrupted, begun.closed]).toEqual([undefined, undefined, undefined]);
      expect(begun.chain).toEqual({ rows: [] });
      expect(await kit.meta(snapshotId)).toEqual(begun.turn);
    },

    "does not make an unknown session unless told to": async (kit) => {
      const sessionId = kit.newSession();
      expect(await kit.begin({ sessionId, create: false })).toEqual({ type: "notFound" });
      expect(await kit.latest(sessionId, ["pending"])).toBeUndefined();
    },

    "continues a session from its head": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const second = await kit.begun({ sessionId, create: false });
      expect(second.turn).toMatchObject({ ordinal: 2, parentId: first.id });
      expect(second.parent).toEqual(first.turn);
    },

    "continues from the head and not from a newer turn that failed": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const failing = await kit.begun({ sessionId });
      await kit.settle(failing.lease, { status: "failed" });
      expect((await kit.begun({ sessionId })).turn).toMatchObject({ ordinal: 3, parentId: first.id });
    },

    "branches from exactly the snapshot named, in its session": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      await kit.complete({ sessionId, after: first });
      const branch = await kit.begun({ branchOf: first.id, sessionId });
      expect(branch.turn).toMatchObject({ sessionId, ordinal: 3, parentId: first.id });
      expect(branch.parent).toEqual(first.turn);
    },

    "allows any number of branches at once, whatever is active": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const active = await kit.begun({ sessionId });
      await kit.begun({ branchOf: first.id });
      await kit.begun({ branchOf: first.id });
      expect(await kit.begin({ sessionId })).toMatchObject({
        type: "busy",
        turn: { snapshotId: active.lease.snapshotId },
      });
    },

    "never makes a branch the session's active turn": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      await kit.begun({ branchOf: first.id });
      await kit.begun({ sessionId });
    },

    "answers otherSession for a snapshot that does not belong to the session": async (kit) => {
      const first = await kit.complete({ sessionId: kit.newSession() });
      const other = await kit.complete({ sessionId: kit.newSession() });
      expect(await kit.begin({ branchOf: first.id, sessionId: other.turn.sessionId })).toEqual({
        type: "otherSession",
      });
    },

    "answers notResumable, with the row, for a snapshot of another status": async (kit) => {
      const sessionId = kit.newSession();
      const live = await kit.begun({ sessionId });
      const { snapshotId } = live.lease;
      expect(await kit.begin({ branchOf: snapshotId })).toMatchObject({
        type: "notResumable",
        turn: { snapshotId, status: "pending" },
      });
      await kit.settle(live.lease, { status: "failed" });
      expect(await kit.begin({ branchOf: snapshotId })).toMatchObject({
        type: "notResumable",
        turn: { snapshotId, status: "failed" },
      });
      await kit.begun({ branchOf: snapshotId, resumable: ["completed", "failed"] });
    },

    "answers existing to another writer with the same id and fingerprint, and changes nothing": async (kit) => {
      const sessionId = kit.newSession();
      const begun = await kit.begun({ sessionId, fingerprint: "f1" });
      const { snapshotId } = begun.lease;
      const again = await kit.begin({ sessionId, snapshotId, fingerprint: "f1" });
      expect(again).toEqual({ type: "existing", turn: begun.turn });
      await kit.settle(begun.lease, { status: "completed" });
      expect(await kit.begin({ sessionId, snapshotId, fingerprint: "f1" })).toMatchObject({
        type: "existing",
        turn: { status: "completed" },
      });
    },

    "answers existing to another writer when neither has a fingerprint": async (kit) => {
      const sessionId = kit.newSession();
      const { turn } = await kit.begun({ sessionId });
      expect(await kit.begin({ sessionId, snapshotId: turn.snapshotId })).toEqual({ type: "existing", turn });
    },

    "answers existing to another writer of the same branch": async (kit) => {
      const first = await kit.complete({ sessionId: kit.newSession() });
      const { turn } = await kit.begun({ branchOf: first.id, fingerprint: "f" });
      const again = await kit.begin({ branchOf: first.id, snapshotId: turn.snapshotId, fingerprint: "f" });
      expect(again).toEqual({ type: "existing", turn });
    },

    "answers conflict for the same id and another fingerprint": async (kit) => {
      const sessionId = kit.newSession();
      const begun = await kit.begun({ sessionId, fingerprint: "f1" });
      const { snapshotId } = begun.lease;
      expect(await kit.begin({ sessionId, snapshotId, fingerprint: "f2" })).toEqual({
        type: "conflict",
        turn: begun.turn,
      });
    },

    "answers a repeat of its writer as the first time, with the lease and the state": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const begin = { sessionId, snapshotId: kit.newSnapshotId(sessionId), writer: "w1", fingerprint: "f" };
      const begun = await kit.begun(begin);
      const again = await kit.begun(begin);
      expect({ ...again, chain: undefined }).toEqual({ ...begun, chain: undefined });
      expect(loadState(again.chain)).toEqual(first.content.value);
      expect(await kit.begin({ ...begin, writer: "w2" })).toEqual({ type: "existing", turn: begun.turn });
      expect((await kit.settle(again.lease, { status: "completed" })).ok).toBe(true);
    },

    "repeats an interrupting begin without interrupting itself, and says again whom it interrupted": async (kit) => {
      const sessionId = kit.newSession();
      const old = await kit.begun({ sessionId });
      const snapshotId = kit.newSnapshotId(sessionId);
      const begin = { sessionId, snapshotId, ifActive: "interrupt", writer: "w" } as const;
      const begun = await kit.begun(begin);
      expect(await kit.begin(begin)).toEqual(begun);
      expect(begun.interrupted).toBe(old.lease.snapshotId);
      expect((await kit.meta(snapshotId))?.status).toBe("pending");
    },

    "repeats a begin over a stale turn, and says again whom it closed": async (kit) => {
      const sessionId = kit.newSession();
      const lost = await kit.stale({ sessionId });
      const begin = { sessionId, snapshotId: kit.newSnapshotId(sessionId), writer: "w" };
      const begun = await kit.begun(begin);
      expect(begun.closed).toBe(lost.lease.snapshotId);
      expect(await kit.begin(begin)).toEqual(begun);
      expect((await kit.meta(lost.lease.snapshotId))?.epoch).toBe(2);
    },

    "gives ordinals from 1, without repeats, in the order of begin": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const turns = [first.turn, await branch(kit, first.id), await branch(kit, first.id)];
      expect(turns.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
    },

    "keeps the input for a claim, exactly": async (kit) => {
      const input = JSON.stringify({ text: "do\u0000 it 🙂" });
      const { lease } = await kit.stale({ sessionId: kit.newSession(), input });
      const claimed = await kit.claim(lease.snapshotId);
      expect(claimed).toMatchObject({ type: "claimed", input });
    },
  },
);

async function branch(kit: StoreKit, from: string): Promise<Begun["turn"]> {
  return present(await kit.begun({ branchOf: from }), "branch").turn;
}
