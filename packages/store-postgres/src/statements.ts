import type { Statement } from "./database/statement.ts";
import { OUTCOME_VALUES, outcomeParameter } from "./row/outcome-values.ts";
import { sessionJson, visible } from "./sql/row-text.ts";

/** Functions and their parameters: so many values, or one outcome, which takes several. */
const CALLS = {
  begin: ["begin_1", [17, "outcome", "outcome", 1]],
  settle: ["settle_1", [5, "outcome", "outcome", 1]],
  append: ["append_1", [5, "outcome"]],
  heartbeat: ["heartbeat_1", [5]],
  abort: ["abort_1", [3, "outcome", 1]],
  claim: ["claim_1", [6]],
  read: ["read_1", [6]],
  readEvents: ["read_events_1", [6]],
  createSession: ["create_session_1", [6]],
  deleteSession: ["delete_session_1", [3]],
  prune: ["prune_1", [7]],
  exportSession: ["export_session_1", [3]],
} as const satisfies Record<string, readonly [string, readonly (number | "outcome")[]]>;

export type Statements = Readonly<Record<keyof typeof CALLS | "getSession" | "updateSession" | "versions", Statement>>;

/** @param schema Its name, quoted. */
export function statementsOf(schema: string): Statements {
  // One round trip each.
  const calls = Object.entries(CALLS).map(([name, [called, parameters]]) => [
    name,
    { name, text: `select * from ${schema}.${called}(${parameterList(schema, parameters)})` },
  ]);
  const mine = `r.scope = $1 and r.id = $3 and ${visible("r", "$2::text")}`;
  return {
    ...(Object.fromEntries(calls) as Record<keyof typeof CALLS, Statement>),
    getSession: {
      name: "getSession",
      text: `select ${sessionJson("r")} from ${schema}.session r where ${mine}`,
    },
    updateSession: {
      name: "updateSession",
      text: `update ${schema}.session r set metadata = coalesce($4, r.metadata), state = coalesce($5, r.state),
        updated_at = ${schema}.now_ms() where ${mine} returning ${sessionJson("r")}`,
    },
    // What is watched, while nothing listens: which rows are there, and how often each has changed.
    versions: {
      name: "versions",
      text: `select w.place::text, r.version::text, r.created_at::text from unnest($1::text[], $2::text[]) with ordinality as w (scope, id, place)
        join ${schema}.turn r on r.scope = w.scope and r.id = w.id`,
    },
  };
}

function parameterList(schema: string, parameters: readonly (number | "outcome")[]): string {
  const list: string[] = [];
  let next = 1;
  for (const kind of parameters) {
    if (kind === "outcome") {
      list.push(outcomeParameter(schema, next));
      next += OUTCOME_VALUES;
    } else {
      for (let count = 0; count < kind; count++) list.push(`$${next++}`);
    }
  }
  return list.join(", ");
}
