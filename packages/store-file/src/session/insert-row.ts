import type { SessionMeta, StoreTime } from "@agents/schema/port";
import type { NewSessionField } from "../record/record.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

export interface NewSession extends NewSessionField {
  readonly state?: SessionMeta["state"];
  readonly createdAt: StoreTime;
  readonly updatedAt: StoreTime;
  readonly lastOrdinal?: number;
  readonly forked?: boolean;
}

export function insertSession(tables: Tables, number: number, given: NewSession): SessionRow {
  const session: SessionRow = {
    number,
    sessionId: given.id,
    agent: given.agent,
    owner: given.owner,
    fingerprint: given.fingerprint,
    createdAt: given.createdAt,
    updatedAt: given.updatedAt,
    state: given.state ?? "active",
    metadata: given.metadata,
    lastOrdinal: given.lastOrdinal ?? 0,
    head: undefined,
    active: undefined,
    forked: given.forked ?? false,
    turns: [],
    ordinals: new Map(),
  };
  tables.sessions.set(session.sessionId, session);
  tables.numbers.set(number, session);
  tables.nextSession = Math.max(tables.nextSession, number + 1);
  return session;
}

export function insertTurn(tables: Tables, turn: TurnRow): void {
  const { session } = turn;
  session.turns.push(turn);
  session.ordinals.set(turn.ordinal, turn);
  session.lastOrdinal = Math.max(session.lastOrdinal, turn.ordinal);
  tables.turns.set(turn.snapshotId, turn);
}

/** Everything of it goes: its live turns are unknown from now on, so their writers are refused. */
export function removeSession(tables: Tables, session: SessionRow): void {
  tables.sessions.delete(session.sessionId);
  tables.numbers.delete(session.number);
  for (const turn of session.turns) forgetTurn(tables, turn);
}

export function removeTurns(tables: Tables, session: SessionRow, dropped: ReadonlySet<TurnRow>): void {
  if (dropped.size === 0) return;
  session.turns = session.turns.filter((turn) => !dropped.has(turn));
  for (const turn of dropped) {
    session.ordinals.delete(turn.ordinal);
    forgetTurn(tables, turn);
  }
}

export function removeEvents(tables: Tables, turn: TurnRow): void {
  for (const { text } of turn.events) tables.garbage += text.size;
  turn.events = [];
}

/** About what a row takes in a journal beside its texts. */
const ROW_BYTES = 500;

function forgetTurn(tables: Tables, turn: TurnRow): void {
  tables.turns.delete(turn.snapshotId);
  tables.garbage += ROW_BYTES + (turn.state?.text.size ?? 0) + (turn.live?.input.size ?? 0);
  removeEvents(tables, turn);
  tables.changed(turn);
}
