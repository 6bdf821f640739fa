import { expect } from "vitest";
import { patchContent, stateAfter } from "../../store/kit/state-content.ts";
import { present } from "../../store/kit/store-kit.ts";
import { batch } from "../../store/kit/test-outcome.ts";
import type { ProcessTest } from "./process-world.ts";
import { answeredTurn, expectStored } from "./stored-turn.ts";

export const leaseTests: readonly ProcessTest[] = [
  {
    name: "refuses every write of a process that was stopped past its lease and whose turn was taken over",
    timeoutMs: 30_000,
    needs: [],
    async run(world) {
      const worker = await world.take();
      const kit = world.kit(worker);
      const sessionId = kit.newSession();
      const first = await answeredTurn(kit, { sessionId, text: "first" });
      const { lease } = await kit.begun({ sessionId, leaseMs: kit.time.lapsingMs });
      worker.signal("SIGSTOP");

      const other = await world.fresh();
      await other.lapsed(lease.snapshotId);
      const claimed = await other.claim(lease.snapshotId);
      if (claimed.type !== "claimed") expect.fail(`A stale turn is claimed, not ${claimed.type}.`);

      // They wait in the stopped process, and are done the moment it goes on.
      const late = Promise.all([
        kit.heartbeat([lease]).then(([beat]) => beat),
        kit.store.events?.append(kit.caller, lease, { batch: batch(1, "late"), leaseMs: 60_000 }),
        kit.settle(lease, { status: "completed", result: '"late"' }),
      ]);
      worker.signal("SIGCONT");
      for (const answer of await late) if (answer !== undefined) expect(answer).toMatchObject({ ok: false });

      const content = patchContent(stateAfter(first.content.value, sessionId, "taken over"), first.content);
      const settled = await other.settle(claimed.lease, { status: "completed", content });
      expect(settled).toMatchObject({ ok: true, turn: { epoch: 2, status: "completed" } });
      await expectStored(await world.fresh(), [
        first,
        { turn: present(settled.turn, "the settled row"), content, events: [] },
      ]);
      world.give(worker);
    },
  },
  {
    name: "lets a process go on that was stopped past its lease and whose turn nobody took",
    timeoutMs: 30_000,
    needs: [],
    async run(world) {
      const worker = await world.take();
      const kit = world.kit(worker);
      const { lease } = await kit.begun({ sessionId: kit.newSession(), leaseMs: kit.time.lapsingMs });
      worker.signal("SIGSTOP");
      const other = await world.fresh();
      await other.lapsed(lease.snapshotId);
      const late = kit.settle(lease, { status: "completed" });
      worker.signal("SIGCONT");
      expect(await late).toMatchObject({ ok: true, turn: { status: "completed", epoch: 1 } });
      expect((await other.meta(lease.snapshotId))?.status).toBe("completed");
      world.give(worker);
    },
  },
];
