import type { BeginResult, Fenced } from "@agents/schema/port";
import { expect } from "vitest";
import { loadState } from "../../store/kit/load-state.ts";
import { type Begun, present, type StoreKit } from "../../store/kit/store-kit.ts";
import { AnswerLost } from "../store-process.ts";
import { BEGIN_EVENTS, type CrashTurn, contentAfter, MORE_EVENTS, prepareCrashTurn } from "./crash-turn.ts";
import type { CrashOperation, ProcessWorld } from "./process-world.ts";
import { expectRows, expectStored, readStored, type StoredTurn, textsOf } from "./stored-turn.ts";

export interface Crash {
  readonly operation: CrashOperation;
  readonly step: string;
  /** Whether the call is made again, as a runtime does whose answer was lost, or the session simply goes on. */
  readonly afterwards: "repeat" | "goOn";
}

/** What a reader finds of the operation: all of it or nothing of it. */
export type CrashSight = "done" | "not done";

/** Kills a process at a step, and looks at what is left from another. Fails the test where a promise is broken. */
export async function runCrash(world: ProcessWorld, { operation, step, afterwards }: Crash): Promise<CrashSight> {
  const process = await world.take();
  const kit = world.kit(process);
  const turn = await prepareCrashTurn(kit, operation);
  await process.arm(step, "kill");
  const end = await turn.perform(kit).catch((error: unknown) => error);
  expect(end, `${operation}, killed at ${step}, has no answer`).toBeInstanceOf(AnswerLost);
  await process.ended;

  const other = await world.fresh();
  await expectStored(other, turn.answered);
  const sight = await expectWhole(other, turn, operation);
  if (afterwards === "repeat") await expectRepeated(other, turn, operation);
  await goOn(world, { turn, operation, mayBeGone: afterwards === "goOn" });
  return sight;
}

/** That the turn is as it was before the operation, or as it is after it, and nothing in between. */
async function expectWhole(kit: StoreKit, turn: CrashTurn, operation: CrashOperation): Promise<CrashSight> {
  const stored = await readStored(kit, turn.snapshotId);
  const session = await kit.store.index?.getSession(kit.caller, turn.sessionId);
  const [, second] = turn.answered;
  if (stored === undefined) {
    expect(turn.begun, "a turn whose begin was answered is there").toBeUndefined();
    if (session !== undefined) expect(session).toMatchObject({ headId: second.turn.snapshotId });
    expect(session?.activeId, "the session's active turn").toBeUndefined();
    return "not done";
  }
  const isSettled = stored.turn.status === "completed";
  if (isSettled) expectSettled(kit, turn, stored);
  else expectPending(kit, turn, stored);
  if (session !== undefined) {
    expect(session.headId, "the head").toBe(isSettled ? turn.snapshotId : second.turn.snapshotId);
    expect(session.activeId, "the active turn").toBe(isSettled ? undefined : turn.snapshotId);
  }
  return isDone(operation, stored) ? "done" : "not done";
}

function isDone(operation: CrashOperation, { turn, events }: StoredTurn): boolean {
  if (operation === "begin") return true;
  return operation === "settle" ? turn.status === "completed" : events.length > BEGIN_EVENTS.events.length;
}

function expectPending(kit: StoreKit, { begun, answered, snapshotId }: CrashTurn, { turn, events }: StoredTurn): void {
  const texts = textsOf(events);
  const withMore = [...BEGIN_EVENTS.events, ...MORE_EVENTS.events];
  const has = kit.store.events !== undefined;
  expect(has ? [BEGIN_EVENTS.events, withMore] : [[]], "events, each batch whole").toContainEqual(texts);
  expect(turn).toMatchObject({
    snapshotId,
    ordinal: 3,
    status: "pending",
    epoch: 1,
    parentId: answered[1].turn.snapshotId,
    lastSeq: texts.length,
  });
  expect(turn.state, "a pending row shows no state").toBeUndefined();
  expect(turn.result, "a pending row has no result").toBeUndefined();
  if (begun !== undefined && texts.length === begun.turn.lastSeq) {
    expect(turn, "the row as its begin left it").toEqual({ ...begun.turn, stale: turn.stale });
  }
}

function expectSettled(kit: StoreKit, { begun, content }: CrashTurn, { turn, state, events }: StoredTurn): void {
  const { stateHash, stateBytes, loadBytes, loadRows } = content;
  expect(turn).toMatchObject({
    status: "completed",
    epoch: 1,
    stale: false,
    ordinal: 3,
    result: '{"finishReason":"completed"}',
    state: { stateHash, stateBytes, loadBytes, loadRows },
    version: present(begun, "the begin").turn.version + 1,
  });
  expect(state).toEqual(content.value);
  const all = [...BEGIN_EVENTS.events, ...MORE_EVENTS.events];
  expect(textsOf(events)).toEqual(kit.store.events === undefined ? [] : all);
}

/** That the same call again is answered as if it were the first, and a third one in the same way. */
async function expectRepeated(kit: StoreKit, turn: CrashTurn, operation: CrashOperation): Promise<void> {
  const answer = await turn.perform(kit);
  if (operation === "begin") expectBegun(answer as BeginResult, turn);
  else expect((answer as Fenced).ok, `a repeated ${operation}`).toBe(true);
  expect(await expectWhole(kit, turn, operation), `after a repeated ${operation}`).toBe("done");
  expect(withoutTime(await turn.perform(kit)), `${operation}, repeated once more`).toEqual(withoutTime(answer));
}

function expectBegun(answer: BeginResult, { answered: [, second], snapshotId, sessionId }: CrashTurn): void {
  expect(answer.type, "a repeated begin").toBe("begun");
  const { lease, turn, parent, chain, closed, interrupted } = answer as Begun;
  expect(lease).toEqual({ snapshotId, sessionId, epoch: 1 });
  expect([turn.ordinal, parent?.snapshotId]).toEqual([3, second.turn.snapshotId]);
  expect([closed, interrupted]).toEqual([undefined, undefined]);
  expect(loadState(chain)).toEqual(second.content.value);
}

/** The lease runs out while this goes on. */
function withoutTime(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === "stale" ? undefined : value)));
}

interface GoingOn {
  readonly turn: CrashTurn;
  readonly operation: CrashOperation;
  /** The begin may never have been heard of. */
  readonly mayBeGone: boolean;
}

/** That a turn in flight reads as expired, that the next one starts from the right state, and that the dead stay dead. */
async function goOn(world: ProcessWorld, { turn, operation, mayBeGone }: GoingOn): Promise<void> {
  const kit = await world.fresh();
  const { sessionId, snapshotId, answered } = turn;
  const [, second] = answered;
  const left = await kit.meta(snapshotId);
  if (left === undefined) expect(mayBeGone, "the turn is there").toBe(true);
  if (left?.status === "pending") await kit.lapsed(snapshotId);
  if (operation === "append" && left !== undefined) await expectClaimable(kit, turn);

  const next = await kit.begun({ sessionId });
  const settled = (await kit.meta(snapshotId))?.status === "completed";
  const before = settled ? turn.content : second.content;
  expect(next.turn.parentId, "the parent of the next turn").toBe(settled ? snapshotId : second.turn.snapshotId);
  expect(loadState(next.chain), "the state that the next turn starts from").toEqual(before.value);
  if (left?.status === "pending" && !settled) {
    expect(next.closed, "the turn that the next one closes").toBe(snapshotId);
    expect((await kit.settle({ snapshotId, sessionId, epoch: 1 }, { status: "completed" })).ok).toBe(false);
  }
  const content = contentAfter(before, "goes on");
  const events = { firstSeq: next.turn.lastSeq + 1, events: [] };
  const last = await kit.settle(next.lease, { status: "completed", content, events });
  expect(last.ok, "the next turn").toBe(true);

  const reader = await world.fresh();
  const nextTurn = { turn: present(last.turn, "row"), content, events: [] };
  await expectStored(reader, [...answered, nextTurn]);
  const third = left === undefined ? [] : [snapshotId];
  const ids = answered.map(({ turn: { snapshotId: id } }) => id);
  await expectRows(reader, sessionId, [...ids, ...third, next.turn.snapshotId]);
}

/** That another process can take the turn over, from its progress if that was stored, and end it. */
async function expectClaimable(kit: StoreKit, turn: CrashTurn): Promise<void> {
  const stored = present(await readStored(kit, turn.snapshotId), "the turn");
  const claimed = await kit.claim(turn.snapshotId);
  if (claimed.type !== "claimed") expect.fail(`A turn whose process died is claimed, not ${claimed.type}.`);
  const progress = isDone("append", stored) ? turn.content : turn.answered[1].content;
  expect(loadState(claimed.chain), "the state that a claim goes on from").toEqual(progress.value);
  expect(claimed.input).toBe('{"text":"third"}');
  expect((await kit.heartbeat([{ ...claimed.lease, epoch: 1 }]))[0]?.ok, "the heartbeat of the dead").toBe(false);
  const { content } = turn;
  const events = { firstSeq: claimed.turn.lastSeq + 1, events: [] };
  expect((await kit.settle(claimed.lease, { status: "completed", content, events })).ok).toBe(true);
}
