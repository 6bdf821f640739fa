import type { ClosingOutcome, EventBatch, Outcome, StateContent } from "@agents/schema/port";
import { encodeText, encodeTexts } from "../text/text.ts";

/** Fields of the type `outcome_1`, in its order. */
const FIELDS = 13;

/** How statements make an `outcome_1` of the values from `first` on. */
export function outcomeParameter(schema: string, first: number): string {
  return `row(${Array.from({ length: FIELDS }, (_, index) => `$${first + index}`).join(", ")})::${schema}.outcome_1`;
}

/** How many parameters it takes. */
export const OUTCOME_VALUES = FIELDS;

export function outcomeValues({ status, result, waiting, content, events }: Outcome): unknown[] {
  return [status, encodeText(result), waiting ?? false, ...contentValues(content), ...batchValues(events)];
}

/** Its events are numbered by the server. */
export function closingValues({ status, result, waiting, content, events }: ClosingOutcome): unknown[] {
  const batch = batchValues({ firstSeq: 0, events });
  return [status, encodeText(result), waiting ?? false, ...contentValues(content), ...batch];
}

/** What an append brings: no status. */
export function appendValues(batch: EventBatch, progress: StateContent | undefined): unknown[] {
  return [null, null, false, ...contentValues(progress), ...batchValues(batch)];
}

const NO_CONTENT = [null, null, null, null, null, null, null] as const;

function contentValues(content: StateContent | undefined): readonly unknown[] {
  if (content === undefined) return NO_CONTENT;
  const { kind, json, stateHash, messagesDigest, stateBytes, loadBytes, loadRows } = content;
  return [kind, encodeText(json), encodeText(stateHash), encodeText(messagesDigest), stateBytes, loadBytes, loadRows];
}

function batchValues({ firstSeq, events }: EventBatch): readonly unknown[] {
  return events.length === 0 ? [firstSeq, 0, null] : [firstSeq, events.length, encodeTexts(events)];
}
