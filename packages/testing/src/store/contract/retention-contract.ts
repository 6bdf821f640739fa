import type { PruneRule } from "@agents/schema/port";
import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { loadState } from "../kit/load-state.ts";
import { type CompletedTurn, present, type StoreKit } from "../kit/store-kit.ts";
import { batch, START } from "../kit/test-outcome.ts";
import { pause, tick } from "../kit/time.ts";

export const retentionContract = contractArea(
  "retention",
  { needs: ["index"] },
  {
    "keeps the newest rows of a chain": async (kit) => {
      const turns = await checkpoints(kit, 6);
      expect(await prune(kit, turns, { keepLast: 2 })).toBe(4);
      expect(await kept(kit, turns)).toEqual([4, 5]);
      await expectLoads(kit, turns.slice(4));
    },

    "keeps the newest rows of each chain": async (kit) => {
      const trunk = await checkpoints(kit, 3);
      const branch = [await kit.complete({ branchOf: id(trunk, 2), kind: "full" })];
      for (let step = 0; step < 3; step++) branch.push(await next(kit, branch));
      const main = [await kit.complete({ branchOf: id(trunk, 2), kind: "full" })];
      for (let step = 0; step < 3; step++) main.push(await next(kit, main));
      await prune(kit, trunk, { keepLast: 2 });
      expect(await kept(kit, [...trunk, ...branch, ...main])).toEqual([5, 6, 9, 10]);
    },

    "keeps rows that are not old enough": async (kit) => {
      const turns = await checkpoints(kit, 3);
      await pause(kit.time, 600);
      turns.push(await next(kit, turns));
      turns.push(await next(kit, turns));
      await prune(kit, turns, { olderThanMs: 500 });
      expect(await kept(kit, turns)).toEqual([3, 4]);
    },

    "drops a row only if number and age allow it": async (kit) => {
      const turns = await checkpoints(kit, 4);
      await prune(kit, turns, { keepLast: 3, olderThanMs: 0 });
      expect(await kept(kit, turns)).toEqual([1, 2, 3]);
      await prune(kit, turns, { keepLast: 1, olderThanMs: 1_000_000 });
      expect(await kept(kit, turns)).toEqual([1, 2, 3]);
    },

    "never drops the head or a live row": async (kit) => {
      const turns = await checkpoints(kit, 2);
      const live = await kit.begun({ branchOf: id(turns, 0) });
      const aborting = await kit.begun({ branchOf: id(turns, 0) });
      await kit.abort(aborting.lease.snapshotId);
      await prune(kit, turns, { olderThanMs: 0 });
      expect(await kit.meta(id(turns, 1))).toBeDefined();
      expect((await kit.meta(live.lease.snapshotId))?.status).toBe("pending");
      expect((await kit.meta(aborting.lease.snapshotId))?.status).toBe("aborting");
      expect((await kit.settle(live.lease, { status: "completed" })).ok).toBe(true);
    },

    "drops an abandoned branch, and failed turns, by age": async (kit) => {
      const turns = await checkpoints(kit, 1);
      const abandoned = await kit.complete({ branchOf: id(turns, 0), kind: "full" });
      const failed = await kit.begun({ branchOf: id(turns, 0) });
      await kit.settle(failed.lease, { status: "failed" });
      const head = await kit.complete({ branchOf: id(turns, 0), kind: "full" });
      await prune(kit, turns, { olderThanMs: 0 });
      expect(await kit.meta(abandoned.id)).toBeUndefined();
      expect(await kit.meta(failed.lease.snapshotId)).toBeUndefined();
      await expectLoads(kit, [head]);
    },

    "never drops a base that a kept row's patch needs": async (kit) => {
      const sessionId = kit.newSession();
      const turns = [await kit.complete({ sessionId })];
      for (let step = 0; step < 5; step++) turns.push(await next(kit, turns, "patch"));
      await prune(kit, turns, { keepLast: 1 });
      await expectLoads(kit, turns.slice(-1));
      await prune(kit, turns, { olderThanMs: 0 });
      await expectLoads(kit, turns.slice(-1));
      const after = present(turns.at(-1), "head");
      await expectLoads(kit, [await kit.complete({ sessionId, after, text: "goes on" })]);
    },

    "never drops the state that a kept row without one of its own starts its children from": async (kit) => {
      const turns = await checkpoints(kit, 2);
      const { sessionId } = present(turns[0], "turn").turn;
      const head = await kit.begun({ sessionId });
      await kit.settle(head.lease, { status: "completed" });
      await prune(kit, turns, { keepLast: 1 });
      const child = await kit.begun({ sessionId });
      expect(child.turn.parentId).toBe(head.lease.snapshotId);
      expect(loadState(child.chain)).toEqual(present(turns[1], "turn").content.value);
    },

    "never drops the state that a live row started from": async (kit) => {
      const turns = await checkpoints(kit, 1);
      const live = await kit.stale({ branchOf: id(turns, 0) });
      turns.push(await next(kit, turns));
      turns.push(await next(kit, turns));
      await prune(kit, turns, { keepLast: 1 });
      const claimed = await kit.claim(live.lease.snapshotId);
      const chain = present(claimed.type === "claimed" ? claimed.chain : undefined, "chain");
      expect(loadState(chain)).toEqual(present(turns[0], "turn").content.value);
    },

    "never drops a row that waits for a person, until a child has answered": async (kit) => {
      const turns = await checkpoints(kit, 1);
      const waiting = await kit.complete({ branchOf: id(turns, 0), kind: "full", waiting: true });
      const head = await kit.complete({ branchOf: id(turns, 0), kind: "full" });
      await prune(kit, turns, { olderThanMs: 0 });
      expect(await kit.meta(waiting.id)).toEqual(waiting.turn);
      const failed = await kit.begun({ branchOf: waiting.id });
      await kit.settle(failed.lease, { status: "failed" });
      await prune(kit, turns, { olderThanMs: 0 });
      expect(await kit.meta(waiting.id), "a failed answer is none").toBeDefined();
      const answer = await kit.complete({ branchOf: waiting.id, kind: "full" });
      await prune(kit, turns, { olderThanMs: 0 });
      expect(await kit.meta(waiting.id)).toBeUndefined();
      expect(await kit.meta(head.id)).toBeUndefined();
      await expectLoads(kit, [answer]);
    },

    "leaves the name of a dropped parent with its child": async (kit) => {
      const turns = await checkpoints(kit, 2);
      await prune(kit, turns, { keepLast: 1 });
      expect(await kit.meta(id(turns, 0))).toBeUndefined();
      expect((await kit.meta(id(turns, 1)))?.parentId).toBe(id(turns, 0));
    },

    "drops at most as many as asked for at once, and says whether there is more": async (kit) => {
      const turns = await checkpoints(kit, 11);
      const { sessionId } = present(turns[0], "turn").turn;
      const index = kit.part("index");
      const steps = [];
      for (let more = true; more; ) {
        const step = await index.prune(kit.caller, sessionId, { keepLast: 1 }, 3);
        expect(step.dropped).toBeGreaterThan(0);
        expect(step.dropped).toBeLessThanOrEqual(3);
        steps.push(step.dropped);
        more = step.more;
      }
      expect(steps.reduce((sum, dropped) => sum + dropped, 0)).toBe(10);
      expect(await index.prune(kit.caller, sessionId, { keepLast: 1 }, 3)).toEqual({ dropped: 0, more: false });
    },

    "does nothing twice, and nothing to other sessions": async (kit) => {
      const turns = await checkpoints(kit, 3);
      const other = await checkpoints(kit, 3);
      expect(await prune(kit, turns, { keepLast: 1 })).toBe(2);
      expect(await prune(kit, turns, { keepLast: 1 })).toBe(0);
      expect(await kept(kit, other)).toEqual([0, 1, 2]);
    },
  },
);

export const eventRetentionContract = contractArea(
  "retention",
  { needs: ["index", "events"] },
  {
    "drops the events of turns that are old enough, and no rows": async (kit) => {
      const events = kit.part("events");
      const sessionId = kit.newSession();
      const page = { after: START, limit: 10 };
      const old = await kit.complete({ sessionId, events: batch(1, "a", "b") });
      const live = await kit.begun({ branchOf: old.id, events: batch(1, "x") });
      await pause(kit.time, 600);
      const fresh = await kit.complete({ branchOf: old.id, after: old, events: batch(1, "c") });
      await prune(kit, [old], { eventsOlderThanMs: 500 });
      const read = async (snapshotId: string) =>
        present(await events.readEvents(kit.caller, snapshotId, page), "the turn");
      expect((await read(old.id)).events).toEqual([]);
      expect((await read(old.id)).turn).toMatchObject({ snapshotId: old.id, status: "completed" });
      expect((await read(live.lease.snapshotId)).events).toHaveLength(1);
      expect((await read(fresh.id)).events).toHaveLength(1);
      await expectLoads(kit, [old, fresh]);
    },
  },
);

/** So many turns in a row, each with its whole state. */
async function checkpoints(kit: StoreKit, count: number): Promise<CompletedTurn[]> {
  const turns = [await kit.complete({ sessionId: kit.newSession() })];
  while (turns.length < count) turns.push(await next(kit, turns));
  return turns;
}

function next(kit: StoreKit, turns: readonly CompletedTurn[], kind: "full" | "patch" = "full"): Promise<CompletedTurn> {
  const after = present(turns.at(-1), "a turn before");
  return kit.complete({ branchOf: after.id, after, kind, text: `turn ${turns.length}` });
}

function id(turns: readonly CompletedTurn[], index: number): string {
  return present(turns[index], `turn ${index}`).id;
}

/** To the end; how many rows were dropped. */
async function prune(kit: StoreKit, turns: readonly CompletedTurn[], rule: PruneRule): Promise<number> {
  const { sessionId } = present(turns[0], "a turn").turn;
  let dropped = 0;
  // Nothing is older than 0 ms in the very moment of its making.
  await tick(kit.time);
  for (let rounds = 0; ; rounds++) {
    expect(rounds, "rounds of pruning").toBeLessThan(100);
    const step = await kit.part("index").prune(kit.caller, sessionId, rule, 100);
    dropped += step.dropped;
    if (!step.more) return dropped;
  }
}

/** The numbers of those that are still there. */
async function kept(kit: StoreKit, turns: readonly CompletedTurn[]): Promise<number[]> {
  const there = [];
  for (const [index, turn] of turns.entries()) if ((await kit.meta(turn.id)) !== undefined) there.push(index);
  return there;
}

async function expectLoads(kit: StoreKit, turns: readonly CompletedTurn[]): Promise<void> {
  for (const turn of turns) {
    const read = await kit.store.turns.read(kit.caller, { snapshotId: turn.id }, { known: [] });
    expect(loadState(present(read?.chain, "chain"))).toEqual(turn.content.value);
  }
}
