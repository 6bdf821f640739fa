import type { Clock, ClosingOutcome } from "@agents/schema/port";
import { closingEventText } from "./event-text.ts";
import { encodeTurnResult } from "./turn-result.ts";

const LOST = {
  status: "UNAVAILABLE",
  message: "The lease was lost: the process that ran this turn has not been heard of.",
} as const;
const LOST_RESULT = encodeTurnResult({ finishReason: "failed", error: LOST });
const ABORTED_RESULT = encodeTurnResult({ finishReason: "aborted" });

/** Written to a turn that was running when its worker fell silent. */
export function lostOutcome(clock: Clock): ClosingOutcome {
  return {
    status: "failed",
    result: LOST_RESULT,
    // Made when it is read: every begin carries it, and almost none has a turn to close.
    get events() {
      return [closingEventText("turn.failed", { turnEnd: { finishReason: "failed" }, error: LOST }, clock)];
    },
  };
}

/** Written to a turn that has no worker left and was asked to stop. */
export function abortedOutcome(clock: Clock): ClosingOutcome & { readonly status: "aborted" } {
  return {
    status: "aborted",
    result: ABORTED_RESULT,
    get events() {
      return [closingEventText("turn.canceled", { turnEnd: { finishReason: "aborted" } }, clock)];
    },
  };
}
