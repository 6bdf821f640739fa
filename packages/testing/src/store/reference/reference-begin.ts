import type { BeginFrom, BeginRequest, BeginResult, Caller } from "@agents/schema/port";
import {
  addEvents,
  chainTo,
  change,
  findSession,
  findTurn,
  finish,
  isStale,
  metaOf,
  parentOf,
  type ReferenceRows,
  type SessionRow,
  sessionOf,
  setActive,
  type TurnRow,
} from "./reference-rows.ts";

type Send = Extract<BeginFrom, { create: boolean }>;

/** `begin`, in the order of its doc comment. */
export function referenceBegin(rows: ReferenceRows, caller: Caller, request: BeginRequest): BeginResult {
  const existing = findTurn(rows, caller, request.snapshotId);
  if (existing !== undefined) {
    if (existing.writer === request.writer) return begunAnswer(rows, existing, request.known);
    const type = existing.fingerprint === request.fingerprint ? "existing" : "conflict";
    return { type, turn: metaOf(rows, existing) };
  }
  return "create" in request.from
    ? beginSend(rows, caller, request, request.from)
    : beginBranch(rows, caller, request, request.from);
}

function beginBranch(
  rows: ReferenceRows,
  caller: Caller,
  request: BeginRequest,
  from: Exclude<BeginFrom, Send>,
): BeginResult {
  const parent = findTurn(rows, caller, from.snapshotId);
  const session = parent && sessionOf(rows, parent);
  if (parent === undefined || session === undefined) return { type: "notFound" };
  if (from.sessionId !== undefined && from.sessionId !== session.meta.sessionId) return { type: "otherSession" };
  if (session.meta.state === "archived") return { type: "archived" };
  if (!request.resumable.includes(parent.meta.status)) return { type: "notResumable", turn: metaOf(rows, parent) };
  return begun(rows, caller, { request, session, parent, active: false, effects: {} });
}

function beginSend(rows: ReferenceRows, caller: Caller, request: BeginRequest, from: Send): BeginResult {
  const session = findSession(rows, caller, from.sessionId) ?? newSession(rows, caller, request, from);
  if (session === undefined) return { type: "notFound" };
  if (session.meta.state === "archived") return { type: "archived" };

  if (from.ifForked === "reject" && session.forked) return { type: "forked" };

  const effects: Effects = {};
  const active = session.meta.activeId === undefined ? undefined : findTurn(rows, caller, session.meta.activeId);
  if (active !== undefined) {
    if (isStale(rows, active)) {
      const outcome = request.lost[active.meta.status as "pending" | "aborting"];
      finish(rows, active, outcome, { heads: request.lost.heads, epoch: active.meta.epoch + 1 });
      effects.closed = active.meta.snapshotId;
    } else if (from.ifActive === "reject") {
      return { type: "busy", turn: metaOf(rows, active) };
    } else if (from.ifActive === "interrupt") {
      if (active.meta.status === "pending") change(rows, active, { status: "aborting" });
      setActive(session, undefined);
      effects.interrupted = active.meta.snapshotId;
    }
  }

  const parent = session.meta.headId === undefined ? undefined : findTurn(rows, caller, session.meta.headId);
  return begun(rows, caller, { request, session, parent, active: session.meta.activeId === undefined, effects });
}

function begunAnswer(rows: ReferenceRows, row: TurnRow, known: readonly string[]): BeginResult {
  const { snapshotId, sessionId } = row.meta;
  const parent = parentOf(rows, row);
  return {
    type: "begun",
    lease: { snapshotId, sessionId, epoch: 1 },
    turn: metaOf(rows, row),
    ...(parent === undefined ? {} : { parent: metaOf(rows, parent) }),
    chain: parent === undefined ? { rows: [] } : chainTo(rows, parent, known),
    ...row.effects,
  };
}

/** Undefined when it may not be made, or when it exists for somebody else. */
function newSession(
  rows: ReferenceRows,
  caller: Caller,
  { agent }: BeginRequest,
  { sessionId, create }: Send,
): SessionRow | undefined {
  const taken = rows.sessions.some((row) => row.scope === caller.scope && row.meta.sessionId === sessionId);
  if (taken || !create) return undefined;
  const now = rows.now();
  const owner = caller.owner === undefined ? {} : { owner: caller.owner };
  const session: SessionRow = {
    scope: caller.scope,
    meta: { sessionId, agent, state: "active", createdAt: now, updatedAt: now, ...owner },
    fingerprint: undefined,
    lastOrdinal: 0,
    forked: false,
  };
  rows.sessions.push(session);
  return session;
}

interface Effects {
  closed?: string;
  interrupted?: string;
}

interface NewTurn {
  readonly request: BeginRequest;
  readonly session: SessionRow;
  readonly parent: TurnRow | undefined;
  /** Whether it becomes the session's active turn. */
  readonly active: boolean;
  readonly effects: Effects;
}

function begun(rows: ReferenceRows, caller: Caller, turn: NewTurn): BeginResult {
  const { request, session, parent, active, effects } = turn;
  const { snapshotId, agent } = request;
  const { sessionId } = session.meta;
  const now = rows.now();
  session.lastOrdinal += 1;
  const row: TurnRow = {
    scope: caller.scope,
    meta: {
      snapshotId,
      sessionId,
      agent,
      ordinal: session.lastOrdinal,
      status: "pending",
      version: 0,
      epoch: 1,
      lastSeq: 0,
      createdAt: now,
      updatedAt: now,
      heartbeatAt: now,
      ...(parent === undefined ? {} : { parentId: parent.meta.snapshotId }),
      ...(session.meta.owner === undefined ? {} : { owner: session.meta.owner }),
    },
    fingerprint: request.fingerprint,
    writer: request.writer,
    input: request.input,
    effects,
    trunkId: parent?.resumable === true ? parent.meta.snapshotId : parent?.trunkId,
    resumable: false,
    leaseUntil: now + request.leaseMs,
    content: undefined,
    waiting: false,
    events: [],
  };
  addEvents(rows, row, request.events.events);
  rows.turns.push(row);
  if (active) setActive(session, snapshotId);
  session.meta = { ...session.meta, updatedAt: now };
  change(rows, row, {});
  return begunAnswer(rows, row, request.known);
}
