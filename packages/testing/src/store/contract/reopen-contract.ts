import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { loadState } from "../kit/load-state.ts";
import { present, type StoreKit } from "../kit/store-kit.ts";
import { batch, START } from "../kit/test-outcome.ts";
import { eventually } from "../kit/time.ts";

/** Another process over the same data, while the first one says nothing more. */
export const reopenContract = contractArea(
  "another process",
  { needs: ["reopen"] },
  {
    "finds everything that was acknowledged": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const second = await kit.complete({ sessionId, after: first, text: "second" });
      const live = await kit.begun({ sessionId, events: batch(1, "a", "b") });
      const other = await reopened(kit);
      for (const turn of [first.turn, second.turn, live.turn]) expect(await other.meta(turn.snapshotId)).toEqual(turn);
      const read = await other.store.turns.read(other.caller, { snapshotId: second.id }, { known: [] });
      expect(loadState(present(read?.chain, "chain"))).toEqual(second.content.value);
      const page = await other.store.events?.readEvents(other.caller, live.lease.snapshotId, {
        after: START,
        limit: 9,
      });
      expect(page?.events.map(({ json }) => json)).toEqual(kit.store.events && batch(1, "a", "b").events);
      const session = await kit.store.index?.getSession(kit.caller, sessionId);
      expect(await other.store.index?.getSession(other.caller, sessionId)).toEqual(session);
    },

    "sees a turn in flight as live, then as stale, and closes it with the next send": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const { lease } = await kit.begun({ sessionId, leaseMs: kit.time.lapsingMs });
      const other = await reopened(kit);
      await other.lapsed(lease.snapshotId);
      expect(await other.meta(lease.snapshotId)).toMatchObject({ status: "pending", stale: true });
      const next = await other.begun({ sessionId });
      expect(next.closed).toBe(lease.snapshotId);
      expect(loadState(next.chain)).toEqual(first.content.value);
    },

    "refuses the first process once its turn was taken over": async (kit) => {
      const { lease } = await kit.stale({ sessionId: kit.newSession() });
      const other = await reopened(kit);
      expect((await other.claim(lease.snapshotId)).type).toBe("claimed");
      expect(await kit.settle(lease, { status: "completed" })).toMatchObject({ ok: false, turn: { epoch: 2 } });
      expect((await other.settle({ ...lease, epoch: 2 }, { status: "completed" })).ok).toBe(true);
      expect((await kit.meta(lease.snapshotId))?.status).toBe("completed");
    },

    "lets one process stop the turn of another": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const other = await reopened(kit);
      expect((await other.abort(lease.snapshotId))?.after.status).toBe("aborting");
      const [beat] = await kit.heartbeat([lease], 60_000);
      expect(beat).toMatchObject({ ok: true, turn: { status: "aborting" } });
    },

    "begins exactly one of many sends from two processes": async (kit) => {
      const sessionId = kit.newSession();
      const other = await reopened(kit);
      const sends = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? kit : other).begin({ sessionId }));
      const types = (await Promise.all(sends)).map(({ type }) => type);
      expect(types.filter((type) => type === "begun")).toHaveLength(1);
    },

    "keeps working after the first process closed its store": async (kit) => {
      const sessionId = kit.newSession();
      const turn = await kit.complete({ sessionId });
      const other = await reopened(kit);
      await kit.store.close();
      await kit.store.close();
      expect(await other.meta(turn.id)).toEqual(turn.turn);
      await other.complete({ sessionId, after: turn });
    },
  },
);

export const reopenHintContract = contractArea(
  "another process",
  { needs: ["reopen", "hints"] },
  {
    "gets hints about what the first one does": async (kit) => {
      const { lease } = await kit.begun({ sessionId: kit.newSession() });
      const other = await reopened(kit);
      let hints = 0;
      const stop = await other.part("hints").watch(other.caller, lease.snapshotId, () => {
        hints += 1;
      });
      await kit.settle(lease, { status: "completed" });
      await eventually(kit.time, "a hint arrives", () => hints > 0);
      await stop();
    },
  },
);

async function reopened(kit: StoreKit): Promise<StoreKit> {
  return kit.over(await present(kit.reopen, "reopen")());
}
