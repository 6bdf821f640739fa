import type { StoreTime } from "@agents/schema/port";
import { maySee } from "./caller-access.ts";
import { ChangeOrder } from "./change-order.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

export interface NewSession {
  readonly scope: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly owner: string | undefined;
  readonly fingerprint: string | undefined;
  readonly metadata: string | undefined;
  readonly now: StoreTime;
}

/** The id must be free. The caller has made room, and calls `sessionChanged` when it is done. */
export function insertSession(tables: Tables, given: NewSession): SessionRow {
  const { scope, now } = given;
  let table = tables.scopes.get(scope);
  if (table === undefined) {
    table = { scope, sessions: new Map(), turns: new Map(), order: new ChangeOrder() };
    tables.scopes.set(scope, table);
  }
  const session: SessionRow = {
    table,
    sessionId: given.sessionId,
    agent: given.agent,
    owner: given.owner,
    fingerprint: given.fingerprint,
    createdAt: now,
    updatedAt: now,
    state: "active",
    metadata: given.metadata,
    lastOrdinal: 0,
    head: undefined,
    active: undefined,
    forked: false,
    waiting: 0,
    turns: [],
    live: [],
    newest: { completed: undefined, failed: undefined, aborted: undefined },
    listed: undefined,
    evictable: undefined,
  };
  table.sessions.set(session.sessionId, session);
  tables.sessionCount++;
  return session;
}

/** After every change of a session: it moves to the front of lists and to the end of the queue for eviction. */
export function sessionChanged(tables: Tables, session: SessionRow, now: StoreTime): void {
  session.updatedAt = now;
  session.listed = session.table.order.touch(session, session.listed);
  if (session.live.length === 0 && session.waiting === 0) {
    session.evictable = tables.evictable.touch(session, session.evictable);
  } else {
    tables.evictable.remove(session.evictable);
  }
}

/** Everything of it goes: its live turns are unknown from now on, so their writers are refused. */
export function removeSession(tables: Tables, session: SessionRow): void {
  const { table } = session;
  table.sessions.delete(session.sessionId);
  table.order.remove(session.listed);
  tables.evictable.remove(session.evictable);
  tables.sessionCount--;
  for (const turn of session.turns) forgetTurn(tables, turn);
  // Scopes come and go with users; an empty one must leave nothing behind.
  if (table.sessions.size === 0) tables.scopes.delete(table.scope);
}

/** Drops rows that `mayDrop` allowed, in one pass over the session. */
export function dropTurns(tables: Tables, session: SessionRow, dropped: ReadonlySet<TurnRow>): void {
  if (dropped.size === 0) return;
  session.turns = session.turns.filter((turn) => !dropped.has(turn));
  for (const turn of dropped) forgetTurn(tables, turn);
  for (const status of ["completed", "failed", "aborted"] as const) {
    const newest = session.newest[status];
    if (newest !== undefined && dropped.has(newest)) {
      session.newest[status] = session.turns.findLast((turn) => turn.status === status);
    }
  }
}

/** Drops the events of a turn, not the row. */
export function dropEvents(tables: Tables, turn: TurnRow): void {
  tables.eventCount -= turn.events.length;
  turn.events = [];
  tables.logged.remove(turn.logged);
}

/** Undefined for a first turn, and after the parent was dropped: an id that was given anew since then names another row. */
export function parentOf({ session, parentId, ordinal }: TurnRow): TurnRow | undefined {
  const parent = parentId === undefined ? undefined : session.table.turns.get(parentId);
  return parent?.session === session && parent.ordinal < ordinal ? parent : undefined;
}

/** After every change of a turn that a follower may wait for. */
export function turnChanged(tables: Tables, turn: TurnRow): void {
  tables.hints.raise(turn.session.table.scope, turn.snapshotId, (caller) => maySee(caller, turn));
}

function forgetTurn(tables: Tables, turn: TurnRow): void {
  turn.session.table.turns.delete(turn.snapshotId);
  dropEvents(tables, turn);
  turnChanged(tables, turn);
}
