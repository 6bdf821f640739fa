import { AgentError } from "@agents/schema/error";
import type { Caller, SessionIndex, SessionRecord, StateContent, StateText, TurnRecord } from "@agents/schema/port";
import {
  findSession,
  isLive,
  metaOf,
  type ReferenceRows,
  type SessionRow,
  type TurnRow,
  turnsOf,
  waitsForPerson,
} from "./reference-rows.ts";

type Export = SessionRecord<StateText>;
type Import = SessionRecord<StateContent>;

export function referenceExport(rows: ReferenceRows, caller: Caller, sessionId: string): Export | undefined {
  const session = findSession(rows, caller, sessionId);
  if (session === undefined) return undefined;
  const { activeId: _, ...meta } = session.meta;
  const { fingerprint, forked } = session;
  const turns = turnsOf(rows, session);
  return {
    session: { ...meta, forked, ...(fingerprint === undefined ? {} : { fingerprint }) },
    turns: turns.map((row) => exportTurn(rows, turns, row)),
  };
}

function exportTurn(rows: ReferenceRows, turns: readonly TurnRow[], row: TurnRow): TurnRecord<StateText> {
  const { input, fingerprint, trunkId, resumable, events, content } = row;
  const isFinal = !isLive(row);
  return {
    turn: metaOf(rows, row),
    input,
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(trunkId === undefined ? {} : { trunkId }),
    resumable,
    waiting: waitsForPerson(turns, row),
    ...(content !== undefined && isFinal ? { content: { kind: content.kind, json: content.json } } : {}),
    events: [...events],
  };
}

export function referenceImport(
  rows: ReferenceRows,
  caller: Caller,
  record: Import,
): Awaited<ReturnType<SessionIndex["importSession"]>> {
  const { session, turns } = record;
  for (const { turn } of turns) if (turn.status === "pending" || turn.status === "aborting") throw liveTurn(turn);
  const ids = new Set(turns.map(({ turn }) => turn.snapshotId));
  const isTaken =
    rows.sessions.some((row) => row.scope === caller.scope && row.meta.sessionId === session.sessionId) ||
    rows.turns.some((row) => row.scope === caller.scope && ids.has(row.meta.snapshotId));
  if (isTaken) return { type: "conflict" };
  const owner = caller.owner ?? session.owner;
  rows.sessions.push(importedSession(caller, record, owner));
  for (const turn of turns) {
    const row = importedTurn(caller, turn, owner);
    rows.turns.push(row);
    rows.changed(row);
  }
  return { type: "imported" };
}

function importedSession({ scope }: Caller, { session, turns }: Import, owner: string | undefined): SessionRow {
  const { fingerprint, forked, owner: _, activeId: __, ...meta } = session;
  const lastOrdinal = Math.max(0, ...turns.map(({ turn }) => turn.ordinal));
  return { scope, meta: { ...meta, ...(owner === undefined ? {} : { owner }) }, fingerprint, forked, lastOrdinal };
}

function importedTurn({ scope }: Caller, record: TurnRecord<StateContent>, owner: string | undefined): TurnRow {
  const { stale: _, state: __, owner: ___, heartbeatAt: ____, ...meta } = record.turn;
  return {
    scope,
    meta: { ...meta, ...(owner === undefined ? {} : { owner }) },
    fingerprint: record.fingerprint,
    // Nobody's: whoever begins this turn again is not who began it.
    writer: "",
    input: record.input ?? "",
    effects: {},
    trunkId: record.trunkId,
    resumable: record.resumable,
    leaseUntil: 0,
    content: record.content,
    waiting: record.waiting,
    events: [...record.events],
  };
}

function liveTurn({ snapshotId, status }: { readonly snapshotId: string; readonly status: string }): AgentError {
  return new AgentError("INVALID_ARGUMENT", `Turn ${snapshotId} is ${status}; only turns that ended can be imported.`, {
    details: { snapshotId, status },
  });
}
