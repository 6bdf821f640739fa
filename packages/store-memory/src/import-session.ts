import { AgentError } from "@agents/schema/error";
import type { Caller, SessionRecord, StateContent, TurnRecord } from "@agents/schema/port";
import { makeRoomForEvents, makeRoomForSession } from "./eviction.ts";
import { saveState, stateOf } from "./saved-state.ts";
import { insertSession, parentOf, sessionChanged, turnChanged } from "./session-table.ts";
import { isLive } from "./status-moves.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

type Imported = SessionRecord<StateContent>;

/** Refuses before it changes anything: the session is there whole, or not at all. */
export function importSession(tables: Tables, caller: Caller, record: Imported): { type: "imported" | "conflict" } {
  const { session: meta, turns } = record;
  refuseLive(turns);
  const table = tables.scopes.get(caller.scope);
  const isTaken = turns.some(({ turn }) => table?.turns.has(turn.snapshotId) === true);
  if (isTaken || table?.sessions.has(meta.sessionId) === true) return { type: "conflict" };
  refuseTooMany(tables, record);
  makeRoomForEvents(
    tables,
    turns.reduce((sum, { events }) => sum + events.length, 0),
  );
  makeRoomForSession(tables);

  const session = insertSession(tables, {
    scope: caller.scope,
    sessionId: meta.sessionId,
    agent: meta.agent,
    owner: caller.owner ?? meta.owner,
    fingerprint: meta.fingerprint,
    metadata: meta.metadata,
    now: meta.createdAt,
  });
  session.state = meta.state;
  session.forked = meta.forked;
  session.turns = [];
  for (const turn of turns) insertTurn(tables, session, turn);
  session.head = meta.headId === undefined ? undefined : session.table.turns.get(meta.headId);
  // New here, so it is listed first; its time is the one it came with.
  sessionChanged(tables, session, meta.updatedAt);
  for (const turn of session.turns) turnChanged(tables, turn);
  return { type: "imported" };
}

function refuseLive(turns: Imported["turns"]): void {
  for (const { turn } of turns) {
    if (!isLive(turn.status)) continue;
    const { snapshotId, status } = turn;
    throw new AgentError(
      "INVALID_ARGUMENT",
      `Turn ${snapshotId} is ${status}; only turns that ended can be imported.`,
      {
        details: { snapshotId, status },
      },
    );
  }
}

/** To drop some on the way in would be to lose what the caller thinks is safe. */
function refuseTooMany({ limits }: Tables, { session: { sessionId }, turns }: Imported): void {
  const { maxTurnsPerSession } = limits;
  if (turns.length <= maxTurnsPerSession) return;
  throw new AgentError(
    "RESOURCE_EXHAUSTED",
    `Session ${sessionId} has ${turns.length} turns and maxTurnsPerSession is ${maxTurnsPerSession}; raise it, or prune the session first.`,
    { details: { sessionId, turns: turns.length, limit: "maxTurnsPerSession", value: maxTurnsPerSession } },
  );
}

/** By ordinal, so that what it names is there. */
function insertTurn(tables: Tables, session: SessionRow, record: TurnRecord<StateContent>): void {
  const { turn: meta, content, events } = record;
  const turn: TurnRow = {
    session,
    snapshotId: meta.snapshotId,
    agent: meta.agent,
    owner: session.owner,
    fingerprint: record.fingerprint,
    parentId: meta.parentId,
    trunkId: record.trunkId,
    ordinal: meta.ordinal,
    createdAt: meta.createdAt,
    updatedAt: meta.updatedAt,
    status: meta.status,
    version: meta.version,
    epoch: meta.epoch,
    // Nobody's: whoever begins this turn again is not who began it.
    writer: "",
    opening: undefined,
    leaseUntil: 0,
    heartbeatAt: undefined,
    input: record.input ?? "",
    result: meta.result,
    start: undefined,
    saved: undefined,
    waiting: record.waiting,
    resumable: record.resumable,
    lastSeq: meta.lastSeq,
    events: [...events],
    logged: undefined,
  };
  const parent = parentOf(turn);
  turn.start = parent && stateOf(parent);
  if (content !== undefined) {
    turn.saved = saveState(turn, content);
    turn.start = undefined;
  }
  session.turns.push(turn);
  session.lastOrdinal = Math.max(session.lastOrdinal, turn.ordinal);
  if (turn.waiting) session.waiting++;
  if (!isLive(turn.status)) session.newest[turn.status] = turn;
  session.table.turns.set(turn.snapshotId, turn);
  tables.eventCount += events.length;
  if (events.length > 0) turn.logged = tables.logged.touch(turn, turn.logged);
}
