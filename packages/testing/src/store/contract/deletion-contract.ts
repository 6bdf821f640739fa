import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { LONG_LEASE_MS } from "../kit/store-kit.ts";
import { batch, START } from "../kit/test-outcome.ts";

export const deletionContract = contractArea(
  "deletion",
  { needs: ["index"] },
  {
    "leaves nothing of the session to read": async (kit) => {
      const index = kit.part("index");
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const branch = await kit.complete({ branchOf: first.id, after: first });
      const { lease } = await kit.begun({ sessionId, events: batch(1, "a", "b") });
      expect(await index.deleteSession(kit.caller, sessionId)).toBe(true);

      for (const snapshotId of [first.id, branch.id, lease.snapshotId]) {
        expect(await kit.meta(snapshotId)).toBeUndefined();
        expect(await kit.abort(snapshotId)).toBeUndefined();
        expect(await kit.begin({ branchOf: snapshotId })).toEqual({ type: "notFound" });
        const page = { after: START, limit: 10 };
        expect(await kit.store.events?.readEvents(kit.caller, snapshotId, page)).toBeUndefined();
      }
      expect(await kit.latest(sessionId, ["pending", "aborting", "completed"])).toBeUndefined();
      expect(await kit.begin({ sessionId, create: false })).toEqual({ type: "notFound" });
      expect(await index.getSession(kit.caller, sessionId)).toBeUndefined();
      expect(await index.listTurns(kit.caller, sessionId, { limit: 10 })).toEqual({ items: [] });
      expect(await index.listSessions(kit.caller, { limit: 10 })).toEqual({ items: [] });
      expect(await index.listSessions(kit.caller, { limit: 10, agent: "agent" })).toEqual({ items: [] });
      expect(await index.deleteSession(kit.caller, sessionId)).toBe(false);
    },

    "takes the lease of live turns: their writes are refused, without a row": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.begun({ sessionId });
      await kit.part("index").deleteSession(kit.caller, sessionId);
      const [beat] = await kit.heartbeat([lease], LONG_LEASE_MS);
      expect([beat?.ok, beat?.turn]).toEqual([false, undefined]);
      const settled = await kit.settle(lease, { status: "completed" });
      expect([settled.ok, settled.turn]).toEqual([false, undefined]);
      const request = { batch: batch(1, "late"), leaseMs: LONG_LEASE_MS };
      const appended = await kit.store.events?.append(kit.caller, lease, request);
      expect([appended?.ok ?? false, appended?.turn]).toEqual([false, undefined]);
      expect(await kit.meta(lease.snapshotId)).toBeUndefined();
    },

    "does not let a late writer bring the session back": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.begun({ sessionId });
      await kit.part("index").deleteSession(kit.caller, sessionId);
      await kit.settle(lease, { status: "completed" });
      expect(await kit.part("index").getSession(kit.caller, sessionId)).toBeUndefined();
    },

    "frees the id: a session made anew starts from nothing": async (kit) => {
      const sessionId = kit.newSession();
      await kit.complete({ sessionId });
      const old = await kit.begun({ sessionId });
      await kit.part("index").deleteSession(kit.caller, sessionId);
      const begun = await kit.begun({ sessionId });
      expect(begun.turn).toMatchObject({ ordinal: 1, epoch: 1 });
      expect([begun.parent, begun.closed]).toEqual([undefined, undefined]);
      expect(begun.chain).toEqual({ rows: [] });
      expect((await kit.settle(old.lease, { status: "completed" })).ok).toBe(false);
      expect(await kit.begin({ sessionId })).toEqual({ type: "busy", turn: begun.turn });
    },

    "leaves other sessions, and the same id in another scope, alone": async (kit) => {
      const sessionId = kit.newSession();
      const elsewhere = kit.as({ scope: "tenant-b" });
      const other = await kit.complete({ sessionId: kit.newSession() });
      const same = await elsewhere.complete({ sessionId });
      await kit.complete({ sessionId });
      await kit.part("index").deleteSession(kit.caller, sessionId);
      expect(await kit.meta(other.id)).toEqual(other.turn);
      expect(await elsewhere.meta(same.id)).toEqual(same.turn);
    },
  },
);
