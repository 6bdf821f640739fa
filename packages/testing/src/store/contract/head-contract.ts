import type { StoredStatus } from "@agents/schema/agent";
import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import type { StoreKit } from "../kit/store-kit.ts";

const ALL: readonly StoredStatus[] = ["pending", "aborting", "completed", "failed", "aborted"];

/** Which turn a session continues from, and which is its latest. */
export const headContract = contractArea(
  "heads and latest",
  {},
  {
    "moves the head only for the statuses named": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      await settleNext(kit, sessionId, "failed", ["completed"]);
      expect(await headOf(kit, sessionId)).toBe(first.id);
      const failed = await settleNext(kit, sessionId, "failed", ["completed", "failed"]);
      expect(await headOf(kit, sessionId)).toBe(failed);
      const aborted = await settleNext(kit, sessionId, "aborted", ["aborted"]);
      expect(await headOf(kit, sessionId)).toBe(aborted);
    },

    "leaves the head where it is when no status is named": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const declined = await kit.complete({ sessionId, after: first, heads: [] });
      expect((await kit.meta(declined.id))?.status).toBe("completed");
      expect(await headOf(kit, sessionId)).toBe(first.id);
    },

    "never moves the head back to an older turn that ends late": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const older = await kit.begun({ branchOf: first.id });
      const newer = await kit.complete({ sessionId, after: first });
      await kit.settle(older.lease, { status: "completed" });
      expect(await headOf(kit, sessionId)).toBe(newer.id);
    },

    "moves the head to a branch that began later, when it ends": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const second = await kit.complete({ sessionId, after: first });
      const branch = await kit.begun({ branchOf: first.id });
      expect(await headOf(kit, sessionId)).toBe(second.id);
      await kit.settle(branch.lease, { status: "completed" });
      expect(await headOf(kit, sessionId)).toBe(branch.lease.snapshotId);
    },

    "does not move the head when a stale turn is closed or aborted": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const lost = await kit.stale({ sessionId });
      await kit.abort(lost.lease.snapshotId);
      expect(await headOf(kit, sessionId)).toBe(first.id);
    },

    "moves the head to a stale turn that is aborted, if the call says so": async (kit) => {
      const sessionId = kit.newSession();
      await kit.complete({ sessionId });
      const lost = await kit.stale({ sessionId });
      await kit.abort(lost.lease.snapshotId, { heads: ["aborted"] });
      expect(await headOf(kit, sessionId)).toBe(lost.lease.snapshotId);
    },

    "reads the newest turn, by ordinal, among the statuses asked for": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const failed = await settleNext(kit, sessionId, "failed", ["completed"]);
      const second = await kit.complete({ sessionId, after: first });
      const aborted = await settleNext(kit, sessionId, "aborted", ["completed"]);
      const live = (await kit.begun({ sessionId })).lease.snapshotId;
      const latest = async (...among: StoredStatus[]) => (await kit.latest(sessionId, among))?.snapshotId;
      expect(await latest("completed")).toBe(second.id);
      expect(await latest("failed")).toBe(failed);
      expect(await latest("completed", "failed")).toBe(second.id);
      expect(await latest("aborted", "completed")).toBe(aborted);
      expect(await latest(...ALL)).toBe(live);
      expect(await latest("pending", "aborting")).toBe(live);
      expect(await latest("aborting")).toBeUndefined();
      expect(await latest()).toBeUndefined();
    },

    "reads the latest by ordinal, not by when turns ended": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const older = await kit.begun({ branchOf: first.id });
      const newer = await kit.complete({ sessionId, after: first });
      await kit.settle(older.lease, { status: "completed" });
      expect((await kit.latest(sessionId, ["completed"]))?.snapshotId).toBe(newer.id);
    },

    "counts turns by their stored status: a stale pending one is still pending": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.stale({ sessionId });
      expect(await kit.latest(sessionId, ["pending"])).toMatchObject({ snapshotId: lease.snapshotId, stale: true });
      expect(await kit.latest(sessionId, ["aborted", "failed"])).toBeUndefined();
    },
  },
);

async function settleNext(
  kit: StoreKit,
  sessionId: string,
  status: "failed" | "aborted",
  heads: readonly StoredStatus[],
): Promise<string> {
  const { lease } = await kit.begun({ sessionId, resumable: ALL });
  await kit.settle(lease, { status, heads });
  return lease.snapshotId;
}

/** By what a send would continue from; the turn that finds out ends without a trace on the head. */
async function headOf(kit: StoreKit, sessionId: string): Promise<string | undefined> {
  const { lease, parent } = await kit.begun({ sessionId, resumable: ALL });
  await kit.settle(lease, { status: "failed", heads: [] });
  return parent?.snapshotId;
}
