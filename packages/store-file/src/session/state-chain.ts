import { isCheckpoint, isLive, parentOf, type SavedState, type TurnRow } from "./tables.ts";

export interface SavedChain {
  readonly knownId?: string;
  /** Oldest first. */
  readonly rows: readonly { readonly snapshotId: string; readonly state: SavedState }[];
}

/** What a caller lacks of a turn's state: from a checkpoint, or after a state that it holds. */
export function chainOf(turn: TurnRow | undefined, known: readonly string[]): SavedChain {
  const held = new Set(known);
  const rows: { snapshotId: string; state: SavedState }[] = [];
  for (let row = turn; row !== undefined; row = parentOf(row)) {
    const { snapshotId, state } = row;
    // The progress of a live row is replaced as it goes on: to have held it once is not to hold it now.
    if (held.has(snapshotId) && !isLive(row)) return { knownId: snapshotId, rows: rows.reverse() };
    if (state === undefined) continue;
    rows.push({ snapshotId, state });
    if (isCheckpoint(row)) break;
  }
  return { rows: rows.reverse() };
}
