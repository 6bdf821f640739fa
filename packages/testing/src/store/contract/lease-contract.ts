import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { LONG_LEASE_MS, type StoreKit } from "../kit/store-kit.ts";

export const leaseContract = contractArea(
  "leases",
  {},
  {
    "reads a turn as stale once its lease ran out, and changes nothing else": async (kit) => {
      const begun = await kit.stale({ sessionId: kit.newSession() });
      expect(await kit.meta(begun.lease.snapshotId)).toEqual({ ...begun.turn, stale: true });
    },

    "keeps a turn fresh for as long as it is renewed": async (kit) => {
      const begun = await kit.begun({ sessionId: kit.newSession(), leaseMs: kit.time.lapsingMs });
      const other = await kit.begun({ sessionId: kit.newSession(), leaseMs: kit.time.lapsingMs });
      await kit.heartbeat([begun.lease], LONG_LEASE_MS);
      await kit.lapsed(other.lease.snapshotId);
      expect((await kit.meta(begun.lease.snapshotId))?.stale).toBe(false);
    },

    "revives a stale turn by a late heartbeat under the same epoch": async (kit) => {
      const begun = await kit.stale({ sessionId: kit.newSession() });
      const [beat] = await kit.heartbeat([begun.lease], LONG_LEASE_MS);
      expect(beat).toMatchObject({ ok: true, turn: { status: "pending", stale: false, epoch: 1 } });
      expect((await kit.meta(begun.lease.snapshotId))?.stale).toBe(false);
      expect(await kit.begin({ sessionId: begun.lease.sessionId })).toMatchObject({ type: "busy" });
    },

    "says when a lease was renewed, and no more: a heartbeat is no new version": async (kit) => {
      const begun = await kit.stale({ sessionId: kit.newSession() });
      const [beat] = await kit.heartbeat([begun.lease], LONG_LEASE_MS);
      expect(beat?.turn?.heartbeatAt).toBeGreaterThan(begun.turn.heartbeatAt ?? Number.POSITIVE_INFINITY);
      expect(beat?.turn?.version).toBe(begun.turn.version);
    },

    "answers heartbeats in the order of the leases, each for itself": async (kit) => {
      const live = await kit.begun({ sessionId: kit.newSession() });
      const aborting = await kit.begun({ sessionId: kit.newSession() });
      const done = await kit.complete({ sessionId: kit.newSession() });
      await kit.abort(aborting.lease.snapshotId);
      const unknown = { snapshotId: kit.newSnapshotId("nobody"), sessionId: "nobody", epoch: 1 };
      const leases = [unknown, done.lease, live.lease, { ...live.lease, epoch: 2 }, aborting.lease];
      const answers = await kit.heartbeat(leases, LONG_LEASE_MS);
      expect(answers.map(({ ok, turn }) => [ok, turn?.snapshotId, turn?.status])).toEqual([
        [false, undefined, undefined],
        [false, done.id, "completed"],
        [true, live.lease.snapshotId, "pending"],
        [false, live.lease.snapshotId, "pending"],
        [true, aborting.lease.snapshotId, "aborting"],
      ]);
      expect(await kit.heartbeat([], LONG_LEASE_MS)).toEqual([]);
    },

    "renews a hundred leases in one call": async (kit) => {
      const leases = [];
      for (let index = 0; index < 100; index++) leases.push((await kit.begun({ sessionId: kit.newSession() })).lease);
      const reversed = leases.toReversed();
      const answers = await kit.heartbeat(reversed, LONG_LEASE_MS);
      expect(answers.map(({ turn }) => turn?.snapshotId)).toEqual(reversed.map(({ snapshotId }) => snapshotId));
    },

    "claims a stale pending turn: next epoch, fresh lease": async (kit) => {
      const begun = await kit.stale({ sessionId: kit.newSession() });
      const { snapshotId, sessionId } = begun.lease;
      const claimed = await kit.claim(snapshotId);
      expect(claimed).toMatchObject({
        type: "claimed",
        lease: { snapshotId, sessionId, epoch: 2 },
        turn: { snapshotId, status: "pending", stale: false, epoch: 2, ordinal: begun.turn.ordinal },
        chain: { rows: [] },
      });
      const meta = await kit.meta(snapshotId);
      expect(meta?.version).toBeGreaterThan(begun.turn.version);
      expect((await kit.settle({ ...begun.lease, epoch: 2 }, { status: "completed" })).ok).toBe(true);
    },

    "refuses to claim a turn that is fresh, aborting or final, and leaves it alone": async (kit) => {
      const fresh = await kit.begun({ sessionId: kit.newSession() });
      const aborting = await kit.staleAborting({ sessionId: kit.newSession() });
      const done = await kit.complete({ sessionId: kit.newSession() });
      for (const snapshotId of [fresh.lease.snapshotId, aborting.lease.snapshotId, done.id]) {
        const before = await kit.meta(snapshotId);
        expect(await kit.claim(snapshotId)).toEqual({ type: "refused", turn: before });
        expect(await kit.meta(snapshotId)).toEqual(before);
      }
    },

    "answers a repeated claim of its writer as the first time, and refuses another's": async (kit) => {
      const { snapshotId } = (await kit.stale({ sessionId: kit.newSession() })).lease;
      const claimed = await kit.claim(snapshotId, { writer: "w1" });
      expect(claimed).toMatchObject({ type: "claimed", lease: { epoch: 2 } });
      expect(await kit.claim(snapshotId, { writer: "w1" })).toEqual(claimed);
      expect(await kit.claim(snapshotId, { writer: "w2" })).toMatchObject({ type: "refused", turn: { epoch: 2 } });
    },

    "renews leases of many tenants in one call, each under its own": async (kit) => {
      const other = kit.as({ scope: "tenant-b" });
      const own = await kit.begun({ sessionId: kit.newSession() });
      const foreign = await other.begun({ sessionId: kit.newSession() });
      const leases = [
        { caller: other.caller, lease: foreign.lease },
        { caller: other.caller, lease: own.lease },
        { caller: kit.caller, lease: own.lease },
      ];
      const answers = await kit.store.turns.heartbeat(leases, LONG_LEASE_MS);
      expect(answers.map(({ ok, turn }) => [ok, turn?.snapshotId])).toEqual([
        [true, foreign.lease.snapshotId],
        [false, undefined],
        [true, own.lease.snapshotId],
      ]);
    },

    "lets exactly one of many claims win": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession() });
      const claims = Array.from({ length: 20 }, () => kit.claim(lease.snapshotId));
      const types = (await Promise.all(claims)).map(({ type }) => type);
      expect(types.filter((type) => type === "claimed")).toHaveLength(1);
      expect((await kit.meta(lease.snapshotId))?.epoch).toBe(2);
    },

    "stays the session's active turn when it is claimed": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession() });
      await kit.claim(lease.snapshotId);
      expect(await kit.begin({ sessionId: lease.sessionId })).toMatchObject({
        type: "busy",
        turn: { snapshotId: lease.snapshotId, epoch: 2 },
      });
    },

    "refuses the old epoch after a claim": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession() });
      await kit.claim(lease.snapshotId);
      await expectFenced(kit, lease);
    },

    "refuses the old epoch after an abort of the stale turn": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession() });
      await kit.abort(lease.snapshotId);
      await expectFenced(kit, lease);
    },

    "refuses the old epoch after a begin over the stale turn": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession() });
      await kit.begun({ sessionId: lease.sessionId });
      await expectFenced(kit, lease);
    },

    "counts the epochs of one takeover after the other": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession() });
      const { snapshotId } = lease;
      for (const epoch of [2, 3, 4]) {
        const claimed = await kit.claim(snapshotId, { leaseMs: kit.time.lapsingMs });
        expect(claimed).toMatchObject({ type: "claimed", lease: { epoch } });
        await kit.lapsed(snapshotId);
      }
    },
  },
);

async function expectFenced(kit: StoreKit, lease: Parameters<StoreKit["settle"]>[0]): Promise<void> {
  const before = await kit.meta(lease.snapshotId);
  const [beat] = await kit.heartbeat([lease], LONG_LEASE_MS);
  expect(beat, "heartbeat").toEqual({ ok: false, turn: before });
  expect(await kit.settle(lease, { status: "completed" }), "settle").toEqual({ ok: false, turn: before });
  const batch = { firstSeq: (before?.lastSeq ?? 0) + 1, events: ['"late"'] };
  const append = await kit.store.events?.append(kit.caller, lease, { batch, leaseMs: LONG_LEASE_MS });
  if (append !== undefined) expect(append, "append").toEqual({ ok: false, turn: before });
  expect(await kit.meta(lease.snapshotId), "the row").toEqual(before);
}
