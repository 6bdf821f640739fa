import type { Caller, Page, PageOf, TurnMeta } from "@agents/schema/port";
import { makeCursor, readCursor, refuseBadLimit } from "./page-cursor.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { readTurnText } from "./row/turn-text.ts";
import { LISTED } from "./sql/listed.ts";
import { turnText, visible } from "./sql/row-text.ts";
import { encodeText } from "./text/text.ts";

/** More than any ordinal. */
const NEWEST = "9223372036854775807";

export async function listTurns(
  context: PostgresContext,
  caller: Caller,
  { sessionId, cursor, limit }: Page & { readonly sessionId: string },
): Promise<PageOf<TurnMeta>> {
  refuseBadLimit(limit);
  const [scope, owner] = context.admit(caller);
  const { cursorKey } = await context.facts();
  const list = ["turns", scope, owner, sessionId];
  const before = cursor === undefined ? NEWEST : readCursor(cursorKey, list, cursor)[0];
  const values = [scope, owner, encodeText(sessionId), before, limit + 1];
  const rows = await context.run({ name: "listTurns", text: turnsQuery(context.schema) }, values);
  const items = rows.slice(0, limit).map(([json]) => readTurnText(json));
  const last = items.at(-1);
  if (last === undefined || rows.length <= limit) return { items };
  return { items, cursor: makeCursor(cursorKey, list, [last.ordinal]) };
}

export function turnsQuery(schema: string): string {
  return `select ${turnText("r", `(select ${schema}.now_ms())`)} from ${schema}.turn r
    where r.scope ${LISTED} = $1 and r.session_id = $3 and r.ord < $4::bigint and ${visible("r", "$2::text")}
    order by r.ord desc limit $5`;
}
