import type { Caller, Page, PageOf, SessionMeta } from "@agents/schema/port";
import { maySee } from "./caller-access.ts";
import { takePage } from "./page.ts";
import { toSessionMeta } from "./session-meta.ts";
import type { SessionRow, Tables } from "./tables.ts";

interface Wanted {
  readonly agent?: string;
  readonly state?: SessionMeta["state"];
}

/** Walks past sessions of other agents, states and owners; otherwise a page costs what is on it. */
export function listSessions(
  tables: Tables,
  caller: Caller,
  { agent, state, cursor, limit }: Page & Wanted,
): PageOf<SessionMeta> {
  const list = ["sessions", caller.scope, agent, state];
  const before = cursor === undefined ? undefined : tables.cursors.read(list, cursor);
  return takePage({
    rows: visible(tables, caller, { agent, state, before }),
    limit,
    toItem: toSessionMeta,
    toCursor: (position) => tables.cursors.make(list, position),
  });
}

function* visible(
  tables: Tables,
  caller: Caller,
  { agent, state, before }: { [Field in keyof Wanted]: Wanted[Field] | undefined } & { before: number | undefined },
): Generator<{ position: number; row: SessionRow }> {
  for (const entry of tables.scopes.get(caller.scope)?.order.before(before) ?? []) {
    const { row } = entry;
    const wanted = (agent ?? row.agent) === row.agent && (state ?? row.state) === row.state;
    if (wanted && maySee(caller, row)) yield entry;
  }
}
