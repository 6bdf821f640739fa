import type { PruneRule } from "@agents/schema/port";
import {
  childrenOf,
  isLive,
  parentOf,
  type ReferenceRows,
  type SessionRow,
  type TurnRow,
  turnsOf,
  waitsForPerson,
} from "./reference-rows.ts";

export function referencePrune(
  rows: ReferenceRows,
  session: SessionRow,
  rule: PruneRule,
  limit: number,
): { readonly dropped: number; readonly more: boolean } {
  const turns = turnsOf(rows, session);
  const rowsToDrop = droppableRows(rows, session, turns, rule);
  const dropped = new Set(rowsToDrop.slice(0, limit));
  rows.turns = rows.turns.filter((turn) => !dropped.has(turn));
  const logsToDrop = turns.filter((turn) => !dropped.has(turn) && mayLoseEvents(rows, turn, rule));
  const logs = logsToDrop.slice(0, limit - dropped.size);
  for (const turn of logs) turn.events = [];
  return { dropped: dropped.size, more: rowsToDrop.length + logsToDrop.length > dropped.size + logs.length };
}

function mayLoseEvents(rows: ReferenceRows, turn: TurnRow, { eventsOlderThanMs }: PruneRule): boolean {
  if (eventsOlderThanMs === undefined || turn.events.length === 0) return false;
  return !isLive(turn) && ageOf(rows, turn) > eventsOlderThanMs;
}

function droppableRows(
  rows: ReferenceRows,
  session: SessionRow,
  turns: readonly TurnRow[],
  rule: PruneRule,
): TurnRow[] {
  if (rule.keepLast === undefined && rule.olderThanMs === undefined) return [];
  const kept = withBases(rows, new Set(turns.filter((turn) => mustStay(rows, session, turns, turn, rule))));
  return turns.filter((turn) => !kept.has(turn));
}

function ageOf(rows: ReferenceRows, { meta }: TurnRow): number {
  return rows.now() - meta.updatedAt;
}

function mustStay(
  rows: ReferenceRows,
  session: SessionRow,
  turns: readonly TurnRow[],
  turn: TurnRow,
  { keepLast, olderThanMs }: PruneRule,
): boolean {
  if (isLive(turn) || session.meta.headId === turn.meta.snapshotId) return true;
  if (waitsForPerson(turns, turn)) return true;
  if (olderThanMs !== undefined && ageOf(rows, turn) <= olderThanMs) return true;
  return keepLast !== undefined && isAmongLast(rows, turns, turn, keepLast);
}

/** Whether it is one of the newest `count` rows of some chain: a leaf is less than `count` steps below it. */
function isAmongLast(rows: ReferenceRows, turns: readonly TurnRow[], turn: TurnRow, count: number): boolean {
  return turns
    .filter((leaf) => childrenOf(turns, leaf).length === 0)
    .some((leaf) => {
      let row: TurnRow | undefined = leaf;
      for (let step = 0; step < count && row !== undefined; step++) {
        if (row === turn) return true;
        row = parentOf(rows, row);
      }
      return false;
    });
}

/** And the rows that theirs are patches of, up to a checkpoint. */
function withBases(rows: ReferenceRows, kept: ReadonlySet<TurnRow>): ReadonlySet<TurnRow> {
  const all = new Set(kept);
  for (const turn of kept) {
    let row: TurnRow | undefined = turn;
    while (row !== undefined && row.content?.kind !== "full") {
      row = parentOf(rows, row);
      if (row !== undefined) all.add(row);
    }
  }
  return all;
}
