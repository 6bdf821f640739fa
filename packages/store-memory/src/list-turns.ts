import type { Caller, Page, PageOf, TurnMeta } from "@agents/schema/port";
import { findSession } from "./caller-access.ts";
import { takePage } from "./page.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";
import { toTurnMeta } from "./turn-meta.ts";

export function listTurns(
  tables: Tables,
  caller: Caller,
  { sessionId, cursor, limit }: Page & { readonly sessionId: string },
): PageOf<TurnMeta> {
  const list = ["turns", caller.scope, sessionId];
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : tables.cursors.read(list, cursor);
  const session = findSession(tables, caller, sessionId);
  const now = tables.clock.now();
  return takePage({
    rows: session ? newestFirst(session, before) : [],
    limit,
    toItem: (turn) => toTurnMeta(turn, now),
    toCursor: (ordinal) => tables.cursors.make(list, ordinal),
  });
}

function* newestFirst({ turns }: SessionRow, before: number): Generator<{ position: number; row: TurnRow }> {
  for (let index = countBelow(turns, before) - 1; index >= 0; index--) {
    const row = turns[index];
    if (row !== undefined) yield { position: row.ordinal, row };
  }
}

/** By binary search: ordinals grow, with gaps where rows were dropped. */
function countBelow(turns: readonly TurnRow[], ordinal: number): number {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((turns[middle]?.ordinal ?? 0) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}
