import type { StateContent } from "@agents/schema/port";
import type { SavedState, TurnRow } from "./tables.ts";

/** Most states that one load reads. A whole state holds a list as long as the history, so few are kept. */
export const MAX_DEPTH_OF_CHAIN = 128;

/**
 * Keeps what the turn changed against the state it started from, by reference to that state; the whole state where
 * there is none, where the change was not given, and where the chain would get too long. Everything is frozen and shares
 * its parts with its neighbours, so that memory grows with what was said.
 */
export function saveState({ snapshotId, start }: TurnRow, content: StateContent): SavedState {
  const { stateHash, messagesDigest, stateBytes, loadBytes, loadRows, operations } = content;
  const figures = Object.freeze({ stateHash, messagesDigest, stateBytes, loadBytes, loadRows });
  if (start === undefined || operations === undefined || start.depth >= MAX_DEPTH_OF_CHAIN) {
    // The only place that looks at the value: the runtime makes it on demand, and it is as long as the history.
    return { snapshotId, figures, depth: 1, kind: "value", value: content.value, base: undefined };
  }
  return { snapshotId, figures, depth: start.depth + 1, kind: "operations", operations, base: start };
}

/** What a child of this turn starts from, and what a claim goes on with. */
export function stateOf(turn: TurnRow): SavedState | undefined {
  return turn.saved ?? turn.start;
}
