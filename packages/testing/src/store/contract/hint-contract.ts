import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { LONG_LEASE_MS, type StoreKit } from "../kit/store-kit.ts";
import { eventually } from "../kit/time.ts";

const turnHints = contractArea(
  "hints",
  { needs: ["hints"] },
  {
    "raises a hint after begin": async (kit) => {
      const sessionId = kit.newSession();
      const snapshotId = kit.newSnapshotId(sessionId);
      await expectHint(kit, snapshotId, () => kit.begun({ sessionId, snapshotId }));
    },

    "raises a hint after abort, fresh or stale": async (kit) => {
      const fresh = await kit.begun({ sessionId: kit.newSession() });
      await expectHint(kit, fresh.lease.snapshotId, () => kit.abort(fresh.lease.snapshotId));
      const stale = await kit.stale({ sessionId: kit.newSession() });
      await expectHint(kit, stale.lease.snapshotId, () => kit.abort(stale.lease.snapshotId));
    },

    "raises a hint after settle": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      await expectHint(kit, lease.snapshotId, () => kit.settle(lease, { status: "completed" }));
    },

    "raises a hint after claim": async (kit) => {
      const { snapshotId } = (await kit.stale({ sessionId: kit.newSession() })).lease;
      await expectHint(kit, snapshotId, () => kit.claim(snapshotId));
    },

    "raises a hint for the turn that a begin interrupts or closes": async (kit) => {
      const live = await kit.begun({ sessionId: kit.newSession() });
      const { sessionId } = live.lease;
      await expectHint(kit, live.lease.snapshotId, () => kit.begun({ sessionId, ifActive: "interrupt" }));
      const stale = await kit.stale({ sessionId: kit.newSession() });
      await expectHint(kit, stale.lease.snapshotId, () => kit.begun({ sessionId: stale.lease.sessionId }));
    },

    "reaches every watcher of a turn": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const watchers = await Promise.all([watch(kit, lease.snapshotId), watch(kit, lease.snapshotId)]);
      await kit.settle(lease, { status: "completed" });
      await eventually(kit.time, "both watchers get a hint", () => watchers.every(({ count }) => count() > 0));
      await Promise.all(watchers.map(({ stop }) => stop()));
    },

    "stops the hints of a watcher that has left, and only those": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const left = await watch(kit, lease.snapshotId);
      const stays = await watch(kit, lease.snapshotId);
      await left.stop();
      const before = left.count();
      await kit.settle(lease, { status: "completed" });
      await eventually(kit.time, "the other watcher gets a hint", () => stays.count() > 0);
      expect(left.count()).toBe(before);
      await left.stop();
      await stays.stop();
    },

    "raises no hint for the turns of another scope": async (kit) => {
      const sessionId = kit.newSession();
      const snapshotId = kit.newSnapshotId(sessionId);
      const stranger = await watch(kit.as({ scope: "tenant-b" }), snapshotId);
      const own = await watch(kit, snapshotId);
      await kit.begun({ sessionId, snapshotId });
      await eventually(kit.time, "the own watcher gets a hint", () => own.count() > 0);
      expect(stranger.count()).toBe(0);
      await Promise.all([stranger.stop(), own.stop()]);
    },
  },
);

const eventHints = contractArea(
  "hints",
  { needs: ["hints", "events"] },
  {
    "raises a hint after append": async (kit) => {
      const events = kit.part("events");
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const request = { batch: { firstSeq: 1, events: ["{}"] }, leaseMs: LONG_LEASE_MS };
      await expectHint(kit, lease.snapshotId, () => events.append(kit.caller, lease, request));
    },
  },
);

const indexHints = contractArea(
  "hints",
  { needs: ["hints", "index"] },
  {
    "raises a hint after delete": async (kit) => {
      const index = kit.part("index");
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      await expectHint(kit, lease.snapshotId, () => index.deleteSession(kit.caller, lease.sessionId));
    },
  },
);

export const hintContract = [...turnHints, ...eventHints, ...indexHints];

async function expectHint(kit: StoreKit, snapshotId: string, act: () => Promise<unknown>): Promise<void> {
  const watcher = await watch(kit, snapshotId);
  await act();
  await eventually(kit.time, "a hint arrives", () => watcher.count() > 0);
  await watcher.stop();
}

async function watch(kit: StoreKit, snapshotId: string) {
  let count = 0;
  const stop = await kit.part("hints").watch(kit.caller, snapshotId, () => {
    count += 1;
  });
  return { count: () => count, stop };
}
