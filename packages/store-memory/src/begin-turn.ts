import { AgentError } from "@agents/schema/error";
import type { BeginRequest, BeginResult, Caller, StoreTime } from "@agents/schema/port";
import { findTurn, maySee } from "./caller-access.ts";
import { addEvents, endStaleTurn } from "./end-turn.ts";
import { makeRoomForEvents, makeRoomForSession, makeRoomForTurn } from "./eviction.ts";
import { markAborting } from "./mark-aborting.ts";
import { stateOf } from "./saved-state.ts";
import { insertSession, sessionChanged, turnChanged } from "./session-table.ts";
import { chainOf } from "./state-chain.ts";
import { isLive } from "./status-moves.ts";
import type { Opening, SessionRow, Tables, TurnRow } from "./tables.ts";
import { isStale, toTurnMeta } from "./turn-meta.ts";

type Begun = Extract<BeginResult, { type: "begun" }>;
type Refusal = Exclude<BeginResult, Begun>;
type Send = Extract<BeginRequest["from"], { create: boolean }>;

/** Where the turn goes. */
interface Place {
  readonly type: "place";
  readonly sessionId: string;
  /** Undefined when it has yet to be made. */
  readonly session: SessionRow | undefined;
  /** The snapshot that a branch continues. */
  readonly branchOf?: TurnRow;
  /** Set for a send to a session. */
  readonly send?: Send;
}

/** In the order of the port: nothing is changed before the last refusal, but for a stale turn that is closed. */
export function beginTurn(tables: Tables, caller: Caller, request: BeginRequest): BeginResult {
  const asked: Asked = { request, now: tables.clock.now() };
  refuseMisnumbered(request);
  const repeated = answerRepeated(tables, caller, asked);
  if (repeated !== undefined) return repeated;
  const place = findPlace(tables, caller, request);
  if (place.type !== "place") return place;
  const refusal = refusePlace(place, asked);
  if (refusal !== undefined) return refusal;
  const closed = closeStale(tables, place, asked);
  const active = place.send && place.session?.active;
  if (active !== undefined && place.send?.ifActive === "reject") {
    return { type: "busy", turn: toTurnMeta(active, asked.now) };
  }
  // Only now, because closing a stale turn may have moved the head.
  const parent = place.branchOf ?? place.session?.head;
  makeRoom(tables, place, { request, parent });
  const replaced = closed ?? interrupt(tables, place, asked);
  const session = place.session ?? makeSession(tables, caller, { sessionId: place.sessionId, ...asked });
  const turn = insertTurn(tables, session, { opening: { parent, replaced }, ...asked });
  if (place.send !== undefined) session.active ??= turn;
  sessionChanged(tables, session, asked.now);
  turnChanged(tables, turn);
  return answerBegun(turn, { parent, replaced }, asked);
}

interface Asked {
  readonly request: BeginRequest;
  readonly now: StoreTime;
}

function refuseMisnumbered({ snapshotId, events }: BeginRequest): void {
  if (events.events.length === 0 || events.firstSeq === 1) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Snapshot ${snapshotId} begins with event ${events.firstSeq}; the first event of a turn is 1.`,
    { details: { snapshotId, firstSeq: events.firstSeq } },
  );
}

function answerRepeated(tables: Tables, caller: Caller, asked: Asked): BeginResult | undefined {
  const { request, now } = asked;
  const existing = tables.scopes.get(caller.scope)?.turns.get(request.snapshotId);
  if (existing === undefined) return undefined;
  if (!maySee(caller, existing)) return { type: "notFound" };
  const { opening, writer } = existing;
  // As its begin left it: nobody ended it or took it over, so the lease is still the writer's.
  if (opening !== undefined && writer === request.writer && isLive(existing.status)) {
    return answerBegun(existing, opening, asked);
  }
  const type = existing.fingerprint === request.fingerprint ? "existing" : "conflict";
  return { type, turn: toTurnMeta(existing, now) };
}

function answerBegun(turn: TurnRow, { parent, replaced }: Opening, { request, now }: Asked): Begun {
  return {
    type: "begun",
    lease: { snapshotId: turn.snapshotId, sessionId: turn.session.sessionId, epoch: turn.epoch },
    turn: toTurnMeta(turn, now),
    chain: chainOf(parent, request.known),
    ...(parent && { parent: toTurnMeta(parent, now) }),
    ...replaced,
  };
}

function findPlace(tables: Tables, caller: Caller, { from }: BeginRequest): Place | Refusal {
  if ("snapshotId" in from) {
    const branchOf = findTurn(tables, caller, from.snapshotId);
    if (branchOf === undefined) return { type: "notFound" };
    const { session } = branchOf;
    if (from.sessionId !== undefined && from.sessionId !== session.sessionId) return { type: "otherSession" };
    return { type: "place", sessionId: session.sessionId, session, branchOf };
  }
  const { sessionId, create } = from;
  const session = tables.scopes.get(caller.scope)?.sessions.get(sessionId);
  if (session === undefined && !create) return { type: "notFound" };
  // An id that another owner took: the session neither exists for this caller nor can it be made.
  if (session !== undefined && !maySee(caller, session)) return { type: "notFound" };
  return { type: "place", sessionId, session, send: from };
}

/** By what is stored, before anything is changed. */
function refusePlace({ session, branchOf, send }: Place, { request, now }: Asked): Refusal | undefined {
  if (session?.state === "archived") return { type: "archived" };
  if (branchOf !== undefined && !request.resumable.includes(branchOf.status)) {
    return { type: "notResumable", turn: toTurnMeta(branchOf, now) };
  }
  return send?.ifForked === "reject" && session?.forked === true ? { type: "forked" } : undefined;
}

function closeStale(tables: Tables, { send, session }: Place, { request, now }: Asked): { closed: string } | undefined {
  const active = send && session?.active;
  if (active === undefined || !isStale(active, now)) return undefined;
  const { pending, aborting, heads } = request.lost;
  endStaleTurn(tables, active, { outcome: active.status === "aborting" ? aborting : pending, heads, now });
  return { closed: active.snapshotId };
}

/** May throw, so it comes before the active turn is interrupted. */
function makeRoom(
  tables: Tables,
  { session }: Place,
  { request, parent }: { readonly request: BeginRequest; readonly parent: TurnRow | undefined },
): void {
  makeRoomForEvents(tables, request.events.events.length);
  if (session !== undefined) makeRoomForTurn(tables, session, parent);
  else makeRoomForSession(tables);
}

function interrupt(tables: Tables, { send, session }: Place, { now }: Asked): { interrupted: string } | undefined {
  const active = session?.active;
  if (active === undefined || send?.ifActive !== "interrupt") return undefined;
  markAborting(tables, active, now);
  active.session.active = undefined;
  return { interrupted: active.snapshotId };
}

function makeSession(tables: Tables, caller: Caller, asked: Asked & { readonly sessionId: string }): SessionRow {
  return insertSession(tables, {
    scope: caller.scope,
    sessionId: asked.sessionId,
    agent: asked.request.agent,
    owner: caller.owner,
    fingerprint: undefined,
    metadata: undefined,
    now: asked.now,
  });
}

function insertTurn(
  tables: Tables,
  session: SessionRow,
  { request, opening, now }: Asked & { readonly opening: Opening },
): TurnRow {
  const { parent } = opening;
  const turn: TurnRow = {
    session,
    snapshotId: request.snapshotId,
    agent: request.agent,
    owner: session.owner,
    fingerprint: request.fingerprint,
    parentId: parent?.snapshotId,
    trunkId: parent?.resumable === true ? parent.snapshotId : parent?.trunkId,
    ordinal: ++session.lastOrdinal,
    createdAt: now,
    updatedAt: now,
    status: "pending",
    version: 1,
    epoch: 1,
    writer: request.writer,
    opening,
    leaseUntil: now + request.leaseMs,
    heartbeatAt: now,
    input: request.input,
    result: undefined,
    start: parent && stateOf(parent),
    saved: undefined,
    waiting: false,
    resumable: false,
    lastSeq: 0,
    events: [],
    logged: undefined,
  };
  // Most sessions are short: a literal takes one place, an array that is pushed to takes seventeen.
  if (session.turns.length === 0) session.turns = [turn];
  else session.turns.push(turn);
  session.live = [...session.live, turn];
  session.table.turns.set(turn.snapshotId, turn);
  addEvents(tables, turn, request.events.events);
  return turn;
}
