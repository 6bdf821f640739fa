import type { BeginResult, Fenced } from "@agents/schema/port";
import { fullContent, patchContent, stateAfter, type TestContent } from "../../store/kit/state-content.ts";
import type { BeginOptions, Begun, StoreKit } from "../../store/kit/store-kit.ts";
import { batch } from "../../store/kit/test-outcome.ts";
import type { CrashOperation } from "./process-world.ts";
import { type AnsweredTurn, answeredTurn } from "./stored-turn.ts";

/** A conversation of two answered turns, and a third that something happens to. */
export interface CrashTurn {
  readonly sessionId: string;
  readonly snapshotId: string;
  readonly answered: readonly [AnsweredTurn, AnsweredTurn];
  /** The third turn as its begin answered it; undefined where the begin is what something happens to. */
  readonly begun: Begun | undefined;
  /** What the third turn's operation saves: the progress of append, the content of settle. */
  readonly content: TestContent;
  /** Does the operation, on any instance of the store; a second time it is the same call repeated. */
  perform(kit: StoreKit): Promise<OperationAnswer>;
}

/** By operation: a BeginResult, or what a fenced write is answered. */
export type OperationAnswer = BeginResult | Fenced;

/** Events of the third turn: those of its begin, and those that append or settle adds. */
export const BEGIN_EVENTS = batch(1, "begun", "\u0000 and “more”");
export const MORE_EVENTS = batch(3, "then", "this");

/** Makes the conversation up to the operation, all of it answered to the process that will do the operation. */
export async function prepareCrashTurn(kit: StoreKit, operation: CrashOperation): Promise<CrashTurn> {
  const sessionId = kit.newSession();
  const first = await answeredTurn(kit, { sessionId, text: "first" });
  const second = await answeredTurn(kit, { sessionId, text: "second", after: first });
  const snapshotId = kit.newSnapshotId(sessionId);
  const turn: BeginOptions = {
    sessionId,
    snapshotId,
    writer: kit.ids.uuid(),
    input: '{"text":"third"}',
    leaseMs: kit.time.lapsingMs,
    events: BEGIN_EVENTS,
  };
  const content = patchContent(stateAfter(second.content.value, sessionId, "third"), second.content);
  const begun = operation === "begin" ? undefined : await kit.begun(turn);
  return {
    sessionId,
    snapshotId,
    answered: [first, second],
    begun,
    content,
    perform: (other) => perform(other, { operation, turn, begun, content }),
  };
}

interface Performance {
  readonly operation: CrashOperation;
  readonly turn: BeginOptions;
  readonly begun: Begun | undefined;
  readonly content: TestContent;
}

function perform(kit: StoreKit, { operation, turn, begun, content }: Performance): Promise<OperationAnswer> {
  if (begun === undefined) return kit.begin(turn);
  if (operation === "settle") {
    return kit.settle(begun.lease, { status: "completed", content, events: lastEvents(kit) });
  }
  const request = { batch: MORE_EVENTS, leaseMs: kit.time.lapsingMs, progress: content };
  return kit.part("events").append(kit.caller, begun.lease, request);
}

/** A store without events ignores batches: what follows its lastSeq of 0 is as good. */
function lastEvents(kit: StoreKit): typeof MORE_EVENTS {
  return kit.store.events === undefined ? { ...MORE_EVENTS, firstSeq: 1 } : MORE_EVENTS;
}

/** A whole state that goes on from a turn, for whoever comes after. */
export function contentAfter(before: TestContent, text: string): TestContent {
  return fullContent(stateAfter(before.value, before.value.sessionId, text), before);
}
