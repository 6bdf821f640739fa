import type { StoreTime } from "@agents/schema/port";
import type { LineColumns } from "../record/line.ts";
import {
  type BeginRecord,
  type JournalRecord,
  type StaleField,
  USUAL_LEASE_MS,
  type WholeRecord,
  type WholeTurn,
} from "../record/record.ts";
import { addEvents, dropText, endTurn, toSavedState, turnChanged } from "./end-turn.ts";
import { insertSession, insertTurn, removeEvents, removeSession, removeTurns } from "./insert-row.ts";
import { isLive, isStale, type SessionRow, type Tables, type TurnRow } from "./tables.ts";

/**
 * Replays one record. Whether it takes effect depends on the tables alone, so every process comes to the same answer:
 * the place in the log is the lock. False for a record whose condition did not hold, which changes nothing.
 */
export function applyRecord(tables: Tables, record: JournalRecord, columns: LineColumns): boolean {
  if (tables.movedTo !== undefined) return false;
  if ("if" in record && record.if !== tables.revision) return false;
  const apply = APPLY[record.t] as ((...given: [Tables, JournalRecord, LineColumns]) => boolean) | undefined;
  if (apply === undefined || !apply(tables, record, columns)) return false;
  if ("if" in record) tables.revision++;
  tables.effects++;
  return true;
}

type Apply<Type extends JournalRecord["t"]> = (
  tables: Tables,
  record: Extract<JournalRecord, { t: Type }>,
  columns: LineColumns,
) => boolean;

/** The rules were kept by whoever wrote the record; here is only what the record's place in the log can change. */
const APPLY: { readonly [Type in JournalRecord["t"]]: Apply<Type> } = {
  begin(tables, record, columns) {
    const { close, at } = record;
    if (close !== undefined && !closeStale(tables, { close, columns, at })) return false;
    return begin(tables, record, columns);
  },
  settle(tables, { s = 0, n, first, end, at }, columns) {
    const turn = turnAt(tables, s, n);
    if (turn === undefined || (end.events !== undefined && first !== turn.lastSeq + 1)) return false;
    endTurn(tables, turn, { end, columns, epoch: turn.epoch, at });
    return true;
  },
  append(tables, { s = 0, n, epoch, lease, first, events, progress, at }, columns) {
    const turn = turnAt(tables, s, n);
    if (turn === undefined || !isLive(turn) || turn.epoch !== epoch) return false;
    if (events !== undefined && first !== turn.lastSeq + 1) return false;
    addEvents(turn, events, columns);
    if (progress !== undefined) {
      dropText(tables, turn.state?.text.size);
      turn.state = toSavedState(progress, columns);
    }
    renewLease(tables, turn, { lease, at });
    // Without either it is a heartbeat.
    if (events !== undefined || progress !== undefined) turnChanged(tables, turn, at);
    return true;
  },
  beat(tables, { turns, lease, at }) {
    let renewed = false;
    for (const [s, n, epoch] of turns) {
      const turn = turnAt(tables, s, n);
      if (turn === undefined || !isLive(turn) || turn.epoch !== epoch) continue;
      renewLease(tables, turn, { lease, at });
      renewed = true;
    }
    return renewed;
  },
  abort(tables, { s = 0, n, at }) {
    const turn = turnAt(tables, s, n);
    if (turn?.status !== "pending") return false;
    turn.status = "aborting";
    turnChanged(tables, turn, at);
    return true;
  },
  close: (tables, { close, at }, columns) => closeStale(tables, { close, columns, at }),
  claim(tables, { s = 0, n, until, writer, lease, at }) {
    const turn = turnAt(tables, s, n);
    if (turn === undefined || !isLive(turn) || turn.live.leaseUntil !== until) return false;
    turn.epoch++;
    turn.live.writer = writer;
    turn.live.opening = undefined;
    turn.live.leaseUntil = at + lease;
    turn.live.beatAt = at;
    turnChanged(tables, turn, at);
    return true;
  },
  create(tables, { s = 0, session, at }) {
    insertSession(tables, s, { ...session, createdAt: at, updatedAt: at });
    return true;
  },
  update(tables, { s = 0, metadata, state, at }) {
    const session = tables.numbers.get(s);
    if (session === undefined) return false;
    session.metadata = metadata ?? session.metadata;
    session.state = state ?? session.state;
    session.updatedAt = at;
    return true;
  },
  delete(tables, { s = 0 }) {
    const session = tables.numbers.get(s);
    if (session === undefined) return false;
    removeSession(tables, session);
    return true;
  },
  prune(tables, { s = 0, rows, logs }) {
    const session = tables.numbers.get(s);
    if (session === undefined) return false;
    const turns = (ordinals: readonly number[]) => ordinals.flatMap((ordinal) => session.ordinals.get(ordinal) ?? []);
    removeTurns(tables, session, new Set(turns(rows)));
    for (const turn of turns(logs)) removeEvents(tables, turn);
    return true;
  },
  whole(tables, record, columns) {
    insertWhole(tables, record, columns);
    return true;
  },
  base(tables, { nextSession }) {
    tables.nextSession = nextSession;
    return true;
  },
  moved(tables, { effects, to }) {
    if (effects !== tables.effects) return false;
    tables.movedTo = to;
    return true;
  },
};

function turnAt(tables: Tables, session: number, ordinal: number): TurnRow | undefined {
  return tables.numbers.get(session)?.ordinals.get(ordinal);
}

/** A heartbeat is no condition of others, so it may have come between: then the turn is not stale any more. */
function closeStale(
  tables: Tables,
  { close, columns, at }: { close: StaleField; columns: LineColumns; at: StoreTime },
): boolean {
  const turn = turnAt(tables, close.s ?? 0, close.n);
  if (turn?.live?.leaseUntil !== close.until) return false;
  endTurn(tables, turn, { end: close.end, columns, epoch: turn.epoch + 1, at });
  return true;
}

/** A row that read as expired reads as pending again, which its followers want to know. */
function renewLease(tables: Tables, turn: TurnRow, { lease, at }: { lease: number; at: StoreTime }): void {
  if (turn.live === undefined) return;
  if (isStale(turn, at)) tables.changed(turn);
  turn.live.leaseUntil = at + lease;
  turn.live.beatAt = at;
}

function begin(tables: Tables, record: BeginRecord, columns: LineColumns): boolean {
  const { at, close, interrupt } = record;
  const session =
    record.session === undefined
      ? tables.numbers.get(record.s ?? 0)
      : insertSession(tables, record.s ?? 0, { ...record.session, createdAt: at, updatedAt: at });
  if (session === undefined) return false;
  const interrupted = interrupt === undefined ? undefined : session.ordinals.get(interrupt);
  if (interrupted !== undefined) interruptTurn(tables, interrupted, at);
  const closed = close && session.ordinals.get(close.n);
  const turn = pendingTurn(tables, session, { record, columns });
  if (turn.live !== undefined) {
    turn.live.opening = {
      ...(closed && { closed: closed.snapshotId }),
      ...(interrupted && { interrupted: interrupted.snapshotId }),
    };
  }
  addEvents(turn, record.events, columns);
  insertTurn(tables, turn);
  if (record.branch === undefined) session.active ??= turn;
  session.updatedAt = at;
  tables.changed(turn);
  return true;
}

function interruptTurn(tables: Tables, turn: TurnRow, at: StoreTime): void {
  if (turn.status === "pending") {
    turn.status = "aborting";
    turnChanged(tables, turn, at);
  }
  turn.session.active = undefined;
}

function pendingTurn(
  { prefix }: Tables,
  session: SessionRow,
  { record, columns }: { record: BeginRecord; columns: LineColumns },
): TurnRow {
  const { at, id, branch, writer = prefix + id, lease = USUAL_LEASE_MS, input } = record;
  const parent = branch === undefined ? session.head : session.ordinals.get(branch);
  return {
    session,
    snapshotId: prefix + id,
    agent: record.agent ?? session.agent,
    fingerprint: record.fingerprint,
    parentId: parent?.snapshotId,
    parent: parent?.ordinal,
    trunkId: parent?.resumable === true ? parent.snapshotId : parent?.trunkId,
    ordinal: session.lastOrdinal + 1,
    createdAt: at,
    updatedAt: at,
    status: "pending",
    version: 1,
    epoch: 1,
    lastSeq: 0,
    result: undefined,
    waiting: false,
    resumable: false,
    state: undefined,
    events: [],
    live: {
      writer,
      opening: undefined,
      leaseUntil: at + lease,
      beatAt: at,
      input: typeof input === "number" ? columns.text(input) : columns.part(input),
    },
  };
}

function insertWhole(tables: Tables, { s = 0, session: given, turns }: WholeRecord, columns: LineColumns): void {
  const session = insertSession(tables, s, given);
  for (const turn of turns) insertTurn(tables, wholeTurn(session, { ...turn, id: tables.prefix + turn.id }, columns));
  session.head = given.head === undefined ? undefined : session.ordinals.get(given.head);
  session.active = given.active === undefined ? undefined : session.ordinals.get(given.active);
  for (const turn of session.turns) tables.changed(turn);
}

function wholeTurn(session: SessionRow, turn: WholeTurn, columns: LineColumns): TurnRow {
  const { live } = turn;
  return {
    session,
    snapshotId: turn.id,
    agent: turn.agent,
    fingerprint: turn.fingerprint,
    parentId: turn.parentId,
    parent: turn.parent,
    trunkId: turn.trunkId,
    ordinal: turn.n,
    createdAt: turn.createdAt,
    updatedAt: turn.updatedAt,
    status: turn.status,
    version: turn.version,
    epoch: turn.epoch,
    lastSeq: turn.lastSeq,
    result: turn.result,
    waiting: turn.waiting === true,
    resumable: turn.resumable === true,
    state: turn.state && toSavedState(turn.state, columns),
    events: (turn.events ?? []).map(([first, epoch, run]) => {
      return { first, count: run[1], epoch, text: columns.run(run) };
    }),
    live: live && {
      writer: live.writer,
      opening: live.opening,
      leaseUntil: live.until,
      beatAt: live.beatAt,
      input: columns.text(live.input),
    },
  };
}
