import type { BeginResult, Fenced } from "@agents/schema/port";
import { expect } from "vitest";
import { loadState } from "../../store/kit/load-state.ts";
import { type Begun, present, type StoreKit } from "../../store/kit/store-kit.ts";
import {
  BEGIN_EVENTS,
  type CrashTurn,
  contentAfter,
  MORE_EVENTS,
  type OperationAnswer,
  prepareCrashTurn,
} from "./crash-turn.ts";
import type { CrashOperation, ProcessWorld } from "./process-world.ts";
import { type AnsweredTurn, expectStored, readStored, textsOf } from "./stored-turn.ts";

export interface Freeze {
  readonly operation: CrashOperation;
  readonly step: string;
}

/**
 * Stops a process at a step for longer than its lease, lets another go on meanwhile, and continues it. Fails the test where
 * it holds the other up, harms what the other did, or is told something else than what is stored.
 */
export async function runFreeze(world: ProcessWorld, { operation, step }: Freeze): Promise<void> {
  const process = await world.take();
  const kit = world.kit(process);
  const turn = await prepareCrashTurn(kit, operation);
  await process.arm(step, "stop");
  const late = turn.perform(kit);
  await Promise.race([process.stopped(), late]);

  const other = await world.fresh();
  const left = await other.meta(turn.snapshotId);
  if (left?.status === "pending") await other.lapsed(turn.snapshotId);
  const next = await completeNext(other, turn);

  process.signal("SIGCONT");
  await expectAgreement(await world.fresh(), { turn, operation, told: await late, next });
  await expectStored(await world.fresh(), [...turn.answered, next.answered]);
  world.give(process);
}

interface Next {
  readonly begun: Begun;
  readonly answered: AnsweredTurn;
}

async function completeNext(
  kit: StoreKit,
  { sessionId, answered, snapshotId, content: late }: CrashTurn,
): Promise<Next> {
  const begun = await kit.begun({ sessionId });
  const [, second] = answered;
  const before = begun.turn.parentId === snapshotId ? late : second.content;
  expect(loadState(begun.chain), "the state that the next turn starts from").toEqual(before.value);
  const content = contentAfter(before, "meanwhile");
  const events = { firstSeq: begun.turn.lastSeq + 1, events: [] };
  const settled = await kit.settle(begun.lease, { status: "completed", content, events });
  expect(settled.ok, "the next turn").toBe(true);
  return { begun, answered: { turn: present(settled.turn, "row"), content, events: [] } };
}

interface Agreement {
  readonly turn: CrashTurn;
  readonly operation: CrashOperation;
  readonly told: OperationAnswer;
  readonly next: Next;
}

async function expectAgreement(kit: StoreKit, { turn, operation, told, next }: Agreement): Promise<void> {
  const stored = await readStored(kit, turn.snapshotId);
  switch (operation) {
    case "begin":
      return await expectBegin(kit, { turn, told: told as BeginResult, next });
    case "append": {
      const texts = textsOf(present(stored, "the turn").events);
      const isThere = MORE_EVENTS.events.every((text) => texts.includes(text));
      expect(texts.slice(0, 2)).toEqual(BEGIN_EVENTS.events);
      expect((told as Fenced).ok, "what a late append is told").toBe(isThere);
      return expect(next.begun.closed, "the turn that the next one closed").toBe(turn.snapshotId);
    }
    case "settle": {
      const { ok } = told as Fenced;
      const row = present(stored, "the turn").turn;
      const [, second] = turn.answered;
      expect([row.status, row.epoch], "the row, by what a late settle was told").toEqual(
        ok ? ["completed", 1] : ["failed", 2],
      );
      expect(next.begun.closed).toBe(ok ? undefined : turn.snapshotId);
      return expect(next.begun.turn.parentId).toBe(ok ? turn.snapshotId : second.turn.snapshotId);
    }
  }
}

/** It took place before the next turn, which then closed it, or after it, and then goes on from there. */
async function expectBegin(
  kit: StoreKit,
  { turn, told, next }: { turn: CrashTurn; told: BeginResult; next: Next },
): Promise<void> {
  if (told.type !== "begun") expect.fail(`A late begin of a free session is begun, not ${told.type}.`);
  const wasClosed = next.begun.closed === turn.snapshotId;
  const [, second] = turn.answered;
  const parentId = wasClosed ? second.turn.snapshotId : next.begun.turn.snapshotId;
  expect(told.turn.parentId, "the parent of a late begin").toBe(parentId);
  expect(told.turn.ordinal, "the ordinal of a late begin").toBe(wasClosed ? 3 : 4);
  const events = { firstSeq: told.turn.lastSeq + 1, events: [] };
  const settled = await kit.settle(told.lease, { status: "completed", content: turn.content, events });
  expect(settled.ok, "the settle of a late begin").toBe(!wasClosed);
}
