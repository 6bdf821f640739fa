import type { StoredStatus } from "@agents/schema/agent";
import type { Caller, ClosingOutcome, EventBatch, Outcome, StateFigures } from "@agents/schema/port";
import { STATUS_LETTER } from "./status-letter.ts";

/** Absent is `-`, and a text has `=` before it: the empty text is a text. */
export function optional(text: string | undefined): string {
  return text === undefined ? "-" : `=${text}`;
}

/** Who asks, as every script takes it first. */
export function ownerArg({ owner }: Caller): string {
  return optional(owner);
}

/** Ids between commas. Only ids that we made have no comma in them, and others are no turns of ours. */
export function knownArg(known: readonly string[]): string {
  if (known.length === 0) return ",";
  return `,${known.filter((id) => !id.includes(",")).join(",")},`;
}

export function figuresArg(figures: StateFigures): string {
  const { stateHash, messagesDigest, stateBytes, loadBytes, loadRows } = figures;
  return JSON.stringify([stateHash, messagesDigest, stateBytes, loadBytes, loadRows]);
}

/** In the order of `read_outcome`. */
export function outcomeArgs(outcome: Outcome): string[] {
  return [...endArgs(outcome), ...batchArgs(outcome.events)];
}

/** The same as one text, for what is hardly ever needed: each part with its length in bytes before it. */
export function packedOutcome(outcome: Outcome): string {
  return packed(outcomeArgs(outcome));
}

/** The same where the script numbers the events. */
export function packedClosing(outcome: ClosingOutcome): string {
  return packed([...endArgs(outcome), ...batchArgs({ firstSeq: 0, events: outcome.events })]);
}

function packed(parts: readonly string[]): string {
  let text = "";
  for (const part of parts) text += `${Buffer.byteLength(part)}:${part}`;
  return text;
}

function endArgs({ status, result, waiting, content }: Omit<Outcome, "events">): string[] {
  const state = content === undefined ? ["-", "", ""] : [content.kind[0] as string, figuresArg(content), content.json];
  return [STATUS_LETTER[status satisfies StoredStatus], result, waiting === true ? "1" : "0", ...state];
}

export function batchArgs({ firstSeq, events }: EventBatch): string[] {
  return [String(firstSeq), String(events.length), ...events];
}
