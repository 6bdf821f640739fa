import type { BeginRequest, ClosingOutcome, EventBatch, Outcome, StateContent } from "@agents/schema/port";
import type { Position } from "@agents/schema/route";

export interface OutcomeOptions<Status extends Outcome["status"]> {
  readonly status: Status;
  /** @default a JSON text that names the status */
  readonly result?: string;
  readonly content?: StateContent | undefined;
  /** @default none */
  readonly events?: EventBatch;
  readonly waiting?: boolean;
}

export const NO_EVENTS: EventBatch = { firstSeq: 1, events: [] };

/** Of a reader who has seen nothing. */
export const START: Position = { epoch: 0, seq: 0 };

/** An outcome of which only the status has to be said. */
export function testOutcome<Status extends Outcome["status"]>({
  status,
  result = JSON.stringify({ finishReason: status }),
  content,
  events = NO_EVENTS,
  waiting,
}: OutcomeOptions<Status>): Outcome & { readonly status: Status } {
  return {
    status,
    result,
    events,
    ...(content === undefined ? {} : { content }),
    ...(waiting === undefined ? {} : { waiting }),
  };
}

/** The same for a turn that is closed by another than its worker: only the texts of its events are said. */
export function closingOutcome<Status extends Outcome["status"]>({
  events = NO_EVENTS,
  ...options
}: OutcomeOptions<Status>): ClosingOutcome & { readonly status: Status } {
  return { ...testOutcome(options), events: events.events };
}

/** Written to a turn whose worker is gone, as the runtime would. */
export const LOST: BeginRequest["lost"] = {
  pending: closingOutcome({ status: "failed", result: '{"error":"lease lost"}' }),
  aborting: closingOutcome({ status: "aborted", result: '{"error":"lease lost while aborting"}' }),
  heads: ["completed"],
};

/** Events `firstSeq`, …, one per text. */
export function batch(firstSeq: number, ...texts: readonly string[]): EventBatch {
  return { firstSeq, events: texts.map((text) => JSON.stringify({ text })) };
}
