import { expect } from "vitest";
import { present, type StoreKit } from "../../store/kit/store-kit.ts";
import type { ProcessTest, ProcessWorld } from "./process-world.ts";

const RACES = 200;

export const abortTests: readonly ProcessTest[] = [
  {
    name: "lets a process stop the turn of another, which hears of it at its next heartbeat",
    timeoutMs: 30_000,
    needs: [],
    run: (world) =>
      withTwo(world, async (worker, other) => {
        const { lease } = await worker.begun({ sessionId: worker.newSession() });
        const aborted = await other.abort(lease.snapshotId);
        expect([aborted?.before.status, aborted?.after.status]).toEqual(["pending", "aborting"]);
        const [beat] = await worker.heartbeat([lease]);
        expect(beat).toMatchObject({ ok: true, turn: { status: "aborting" } });
        const settled = await worker.settle(lease, { status: "completed" });
        expect(settled).toMatchObject({ ok: true, turn: { status: "aborted" } });
        expect((await other.meta(lease.snapshotId))?.status).toBe("aborted");
      }),
  },
  {
    name: `leaves one terminal status in ${RACES} races of an abort and a settle of two processes, and tells both the truth`,
    timeoutMs: 60_000,
    needs: [],
    run: (world) =>
      withTwo(world, async (worker, other) => {
        for (let race = 0; race < RACES; race++) {
          const { lease } = await worker.begun({ sessionId: worker.newSession() });
          const [aborted, settled] = await either(
            race,
            () => other.abort(lease.snapshotId),
            () => worker.settle(lease, { status: "completed" }),
          );
          const row = present(await other.meta(lease.snapshotId), "the row");
          const inTime = row.status === "aborted";
          expect([row.status, row.epoch]).toEqual([inTime ? "aborted" : "completed", 1]);
          expect(settled, "what the settle was told").toEqual({ ok: true, turn: row });
          expect([aborted?.before.status, aborted?.after.status], "what the abort was told").toEqual(
            inTime ? ["pending", "aborting"] : ["completed", "completed"],
          );
        }
      }),
  },
  {
    name: "ends a stale turn once when an abort and a late settle of two processes race, and tells both the truth",
    timeoutMs: 60_000,
    needs: [],
    run: (world) =>
      withTwo(world, async (worker, other) => {
        for (let race = 0; race < RACES / 4; race++) {
          const { lease } = await worker.begun({ sessionId: worker.newSession(), leaseMs: 1 });
          await worker.lapsed(lease.snapshotId);
          const [aborted, settled] = await either(
            race,
            () => other.abort(lease.snapshotId),
            () => worker.settle(lease, { status: "completed" }),
          );
          const row = present(await other.meta(lease.snapshotId), "the row");
          const inTime = row.status === "aborted";
          expect([row.status, row.epoch]).toEqual(inTime ? ["aborted", 2] : ["completed", 1]);
          expect(settled, "what the settle was told").toEqual({ ok: !inTime, turn: row });
          expect(aborted?.after, "what the abort was told").toEqual(row);
        }
      }),
  },
  {
    name: "hints at what another process does with a turn",
    timeoutMs: 30_000,
    needs: ["hints"],
    run: (world) =>
      withTwo(world, async (worker, other) => {
        const { lease } = await worker.begun({ sessionId: worker.newSession() });
        let hints = 0;
        const heard = (message: string, isSo: () => boolean) =>
          expect.poll(isSo, { timeout: world.patienceMs, interval: 5, message }).toBe(true);
        const stop = await worker.part("hints").watch(worker.caller, lease.snapshotId, () => {
          hints += 1;
        });
        await other.abort(lease.snapshotId);
        await heard("a hint of the abort", () => hints > 0);
        const before = hints;
        await other.settle(lease, { status: "aborted" });
        await heard("a hint of the settle", () => hints > before);
        await stop();
      }),
  },
];

async function withTwo(world: ProcessWorld, use: (worker: StoreKit, other: StoreKit) => Promise<void>): Promise<void> {
  const [worker, other] = await Promise.all([world.take(), world.take()]);
  await use(world.kit(worker), world.kit(other));
  world.give(worker);
  world.give(other);
}

/** In turns: who is asked first is a little ahead. */
async function either<A, B>(race: number, a: () => Promise<A>, b: () => Promise<B>): Promise<[A, B]> {
  if (race % 2 === 0) return await Promise.all([a(), b()]);
  const [second, first] = await Promise.all([b(), a()]);
  return [first, second];
}
