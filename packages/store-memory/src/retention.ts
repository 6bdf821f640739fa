import { isLive } from "./status-moves.ts";
import type { TurnRow } from "./tables.ts";

/**
 * Whether retention, by rule or by limit, may drop a row at all: never a live one, the head, or one that waits for a
 * person. Ancestors are free to go, because states hold their bases themselves (see `SavedState`); the `parentId` of a
 * kept row still names a parent that was dropped.
 */
export function mayDrop(turn: TurnRow): boolean {
  return !isLive(turn.status) && !turn.waiting && turn !== turn.session.head;
}
