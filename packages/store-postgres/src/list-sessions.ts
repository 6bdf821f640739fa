import type { Caller, Page, PageOf, SessionMeta } from "@agents/schema/port";
import { makeCursor, readCursor, refuseBadLimit } from "./page-cursor.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { readSessionJson } from "./row/session-json.ts";
import { LISTED } from "./sql/listed.ts";
import { sessionJson } from "./sql/row-text.ts";
import { encodeText } from "./text/text.ts";

interface Filter {
  readonly agent?: string;
  readonly state?: SessionMeta["state"];
}

/** A page is read from an index, from where the page before ended: it costs the same wherever it is. */
export async function listSessions(
  context: PostgresContext,
  caller: Caller,
  { agent, state, cursor, limit }: Page & Filter,
): Promise<PageOf<SessionMeta>> {
  refuseBadLimit(limit);
  const [scope, owner] = context.admit(caller);
  const { cursorKey } = await context.facts();
  const list = ["sessions", scope, owner, agent, state];
  const after = cursor === undefined ? undefined : readCursor(cursorKey, list, cursor);
  const values: unknown[] = [scope, limit + 1];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [`r.scope ${LISTED} = $1`];
  if (agent !== undefined) conditions.push(`r.agent = ${parameter(encodeText(agent))}`);
  // Written out, so that the planner sees the index of archived sessions: there are two states.
  if (state !== undefined) conditions.push(state === "archived" ? "r.state = 'archived'" : "r.state = 'active'");
  if (after !== undefined) {
    conditions.push(`(r.updated_at, r.id) < (${parameter(after[0])}::bigint, ${parameter(after[1])}::text)`);
  }
  const text = listQuery(context.schema, conditions, owner === null ? undefined : parameter(owner));
  const rows = await context.run({ name: "listSessions", text }, values);
  const items = rows.slice(0, limit).map(([json]) => readSessionJson(json));
  const last = items.at(-1);
  if (last === undefined || rows.length <= limit) return { items };
  return { items, cursor: makeCursor(cursorKey, list, [last.updatedAt, encodeText(last.sessionId)]) };
}

/**
 * For an owner two ranges of one index are merged, theirs and nobody's, because "or" would walk past everybody else's.
 */
export function listQuery(schema: string, conditions: readonly string[], owner: string | undefined): string {
  const range = (more: string): string =>
    `(select r.* from ${schema}.session r where ${conditions.join(" and ")}${more} order by r.updated_at desc, r.id desc limit $2)`;
  const rows =
    owner === undefined
      ? range("")
      : `(${range(` and r.owner = ${owner}`)} union all ${range(" and r.owner is null")})`;
  return `select ${sessionJson("r")} from ${rows} r order by r.updated_at desc, r.id desc limit $2`;
}
