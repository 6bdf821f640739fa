import { AgentError } from "@agents/schema/error";
import { type HistoryPolicy, turnStarts } from "./history-policy.ts";

/** Shows the newest turns, the one under way included. */
export function keepLastTurns(turns: number): HistoryPolicy {
  if (!Number.isInteger(turns) || turns < 1) {
    throw new AgentError("INVALID_ARGUMENT", `keepLastTurns was given ${turns}; it takes an integer of at least 1.`);
  }
  return (history) => {
    const start = turnStarts(history).at(-turns);
    return start === undefined || start === 0 ? history : history.slice(start);
  };
}
