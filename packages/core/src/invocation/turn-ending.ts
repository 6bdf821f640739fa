import type { TurnEnd } from "@agents/schema/agent";
import type { StateContent } from "@agents/schema/port";
import type { TurnEnding } from "../turn/open-turn.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import type { TurnOutcome } from "./turn-recorder.ts";

export interface Written {
  readonly content: StateContent | undefined;
  /** What `turnEnd` names: only what can be continued from. */
  readonly snapshotId: string | undefined;
}

/** What is written of an outcome: the row's result and state, and the last event of the log. */
export function turnEnding<Custom>(outcome: TurnOutcome<Custom>, { content, snapshotId }: Written): TurnEnding {
  const { status, finishReason, error } = outcome;
  const turnEnd: TurnEnd = snapshotId === undefined ? { finishReason } : { snapshotId, finishReason };
  const result = resultOf(outcome);
  switch (status) {
    case "completed": {
      const data = result.usage === undefined ? { turnEnd } : { turnEnd, usage: result.usage };
      return { status, result, content, event: { type: "turn.completed", data } };
    }
    case "failed": {
      const data = { turnEnd, error: error?.shown ?? { status: "UNKNOWN" as const, message: "" } };
      return { status, result, content, event: { type: "turn.failed", data } };
    }
    case "aborted":
      return { status, result, content, event: { type: "turn.canceled", data: { turnEnd } } };
  }
}

/** What is written instead when somebody asked for the turn to stop before it ended. */
export function abortedEnding<Custom>(
  { usage }: TurnOutcome<Custom>,
  written: Written,
): TurnEnding & { readonly status: "aborted" } {
  return turnEnding({ status: "aborted", finishReason: "aborted", usage }, written) as TurnEnding & {
    readonly status: "aborted";
  };
}

function resultOf<Custom>({ finishReason, error, usage }: TurnOutcome<Custom>): TurnResult {
  const used = Object.keys(usage).length > 0;
  return { finishReason, ...(error === undefined ? {} : { error: error.stored }), ...(used ? { usage } : {}) };
}
