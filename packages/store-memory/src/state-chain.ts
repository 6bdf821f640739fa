import type { StateChain, StateRow } from "@agents/schema/port";
import { stateOf } from "./saved-state.ts";
import { parentOf } from "./session-table.ts";
import { isLive } from "./status-moves.ts";
import type { SavedState, TurnRow } from "./tables.ts";

/** What a caller lacks of a turn's state: at most as many rows as a chain may have, and none where it holds the state. */
export function chainOf(turn: TurnRow | undefined, known: readonly string[]): StateChain {
  if (turn === undefined) return { rows: [] };
  const held = nearestHeld(turn, known);
  const heldState = held && stateOf(held);
  const rows: StateRow[] = [];
  for (let state = stateOf(turn); state !== undefined; state = state.base) {
    if (held !== undefined && state === heldState) return { knownId: held.snapshotId, rows: rows.reverse() };
    rows.push(toStateRow(state));
  }
  return { rows: rows.reverse() };
}

/**
 * Goes by rows, not by states: a caller may name a row that has none of its own, and an id that was dropped and given
 * anew must not stand for the old state. No further than the whole state, where the chain starts.
 */
function nearestHeld(turn: TurnRow, known: readonly string[]): TurnRow | undefined {
  if (known.length === 0) return undefined;
  const ids = new Set(known);
  for (let row: TurnRow | undefined = turn; row !== undefined; row = parentOf(row)) {
    // The progress of a live row is replaced as it goes on: to have held it once is not to hold it now.
    if (ids.has(row.snapshotId) && !isLive(row.status)) return row;
    if (row.saved?.kind === "value") return undefined;
  }
  return undefined;
}

function toStateRow(state: SavedState): StateRow {
  const { snapshotId } = state;
  return state.kind === "value"
    ? { snapshotId, kind: state.kind, value: state.value }
    : { snapshotId, kind: state.kind, operations: state.operations };
}
