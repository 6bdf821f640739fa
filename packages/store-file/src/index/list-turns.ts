import type { Caller, Page, PageOf, TurnMeta } from "@agents/schema/port";
import { findSession } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import type { TurnRow } from "../session/tables.ts";
import { refuseBadLimit } from "../turn/limit.ts";
import { type StoreFiles, sessionPlace } from "../turn/store-files.ts";
import { makeCursor, readCursor } from "./page-cursor.ts";

export async function listTurns(
  files: StoreFiles,
  caller: Caller,
  { sessionId, cursor, limit }: Page & { readonly sessionId: string },
): Promise<PageOf<TurnMeta>> {
  refuseBadLimit(limit);
  const seal = { key: files.cursorKey, list: ["turns", caller.scope, sessionId] };
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(readCursor(seal, cursor)[0]);
  return await files.journals.read<PageOf<TurnMeta>>(sessionPlace(caller, sessionId), (journal, now) => {
    const session = journal && findSession(journal.tables, caller, sessionId);
    if (session === undefined) return { items: [] };
    const end = countBelow(session.turns, before);
    const start = Math.max(0, end - limit);
    const items = session.turns
      .slice(start, end)
      .reverse()
      .map((turn) => toTurnMeta(turn, now));
    const last = items.at(-1);
    return start === 0 || last === undefined ? { items } : { items, cursor: makeCursor(seal, [last.ordinal]) };
  });
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
