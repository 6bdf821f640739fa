import type { PruneRule, StoreTime } from "@agents/schema/port";
import { isCheckpoint, isLive, parentOf, type SessionRow, type TurnRow } from "./tables.ts";

/** By ordinal: oldest first, so that what is left of a chain stays in one piece. */
export function droppableRows(
  session: SessionRow,
  { keepLast, olderThanMs }: PruneRule,
  now: StoreTime,
): readonly TurnRow[] {
  if (keepLast === undefined && olderThanMs === undefined) return [];
  const distances = keepLast === undefined ? undefined : distancesToLeaf(session);
  const mayGo = (turn: TurnRow): boolean =>
    !isLive(turn) &&
    !turn.waiting &&
    turn !== session.head &&
    (olderThanMs === undefined || now - turn.updatedAt > olderThanMs) &&
    (keepLast === undefined || (distances?.get(turn.ordinal) ?? 0) >= keepLast);
  const kept = withBases(session.turns.filter((turn) => !mayGo(turn)));
  return session.turns.filter((turn) => !kept.has(turn));
}

/** A final row changes no more, so its last change is when it was settled. */
export function droppableLogs(
  { turns }: SessionRow,
  { eventsOlderThanMs }: PruneRule,
  now: StoreTime,
): readonly TurnRow[] {
  if (eventsOlderThanMs === undefined) return [];
  return turns.filter((turn) => turn.events.length > 0 && !isLive(turn) && now - turn.updatedAt > eventsOlderThanMs);
}

/** How many rows come after each one in the shortest chain that it is part of. */
function distancesToLeaf({ turns }: SessionRow): Map<number, number> {
  const distances = new Map<number, number>();
  // Children have higher ordinals than their parents, so each row is complete when it is reached.
  for (const { ordinal, parent } of turns.toReversed()) {
    const distance = distances.get(ordinal) ?? 0;
    distances.set(ordinal, distance);
    if (parent === undefined) continue;
    distances.set(parent, Math.min(distances.get(parent) ?? Number.POSITIVE_INFINITY, distance + 1));
  }
  return distances;
}

/**
 * And the rows that their states build on, up to a checkpoint. A live row also keeps what it started from: its begin may
 * be repeated, and its progress dropped.
 */
function withBases(turns: readonly TurnRow[]): ReadonlySet<TurnRow> {
  const all = new Set(turns);
  const walked = new Set<TurnRow>();
  for (const turn of turns) {
    let row = !isLive(turn) && isCheckpoint(turn) ? undefined : parentOf(turn);
    while (row !== undefined && !walked.has(row)) {
      walked.add(row);
      all.add(row);
      row = isCheckpoint(row) ? undefined : parentOf(row);
    }
  }
  return all;
}
