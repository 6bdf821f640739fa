import type { StoredStatus } from "@agents/schema/agent";
import type {
  Caller,
  ClosingOutcome,
  SessionMeta,
  StateChain,
  StateContent,
  StateRow,
  StoredEvent,
  TurnMeta,
} from "@agents/schema/port";
import { figuresOf } from "../kit/state-content.ts";

export interface TurnRow {
  readonly scope: string;
  meta: Omit<TurnMeta, "stale" | "state">;
  readonly fingerprint: string | undefined;
  /** Of the begin, and after a takeover of the claim. */
  writer: string;
  readonly input: string;
  /** What the begin did to another turn: its repeat says so again. */
  readonly effects: { readonly closed?: string; readonly interrupted?: string };
  /** The nearest ancestor that became resumable. */
  readonly trunkId: string | undefined;
  /** It settled with a status that is one of its heads. */
  resumable: boolean;
  leaseUntil: number;
  content: StateContent | undefined;
  waiting: boolean;
  events: StoredEvent[];
}

export interface SessionRow {
  readonly scope: string;
  meta: SessionMeta;
  readonly fingerprint: string | undefined;
  lastOrdinal: number;
  /** Two turns became resumable that do not follow each other. */
  forked: boolean;
}

/** All there is: two lists. Everything is found by looking through them. */
export interface ReferenceRows {
  readonly now: () => number;
  /** Called after anything of a turn changed. */
  readonly changed: (row: TurnRow) => void;
  readonly keepsEvents: boolean;
  sessions: SessionRow[];
  turns: TurnRow[];
}

export function findSession(rows: ReferenceRows, caller: Caller, sessionId: string): SessionRow | undefined {
  return rows.sessions.find((row) => row.meta.sessionId === sessionId && isVisible(caller, row));
}

export function findTurn(rows: ReferenceRows, caller: Caller, snapshotId: string): TurnRow | undefined {
  return rows.turns.find((row) => row.meta.snapshotId === snapshotId && isVisible(caller, row));
}

export function sessionOf(rows: ReferenceRows, turn: TurnRow): SessionRow | undefined {
  return rows.sessions.find((row) => row.scope === turn.scope && row.meta.sessionId === turn.meta.sessionId);
}

/** By ordinal. */
export function turnsOf(rows: ReferenceRows, session: SessionRow): TurnRow[] {
  return rows.turns
    .filter((row) => row.scope === session.scope && row.meta.sessionId === session.meta.sessionId)
    .sort((a, b) => a.meta.ordinal - b.meta.ordinal);
}

export function childrenOf(turns: readonly TurnRow[], turn: TurnRow): TurnRow[] {
  return turns.filter(({ meta }) => meta.parentId === turn.meta.snapshotId);
}

/** It asked, and no child of it has answered. */
export function waitsForPerson(turns: readonly TurnRow[], turn: TurnRow): boolean {
  return turn.waiting && !childrenOf(turns, turn).some(({ meta }) => meta.status === "completed");
}

export function isVisible(caller: Caller, row: TurnRow | SessionRow): boolean {
  const { owner } = row.meta;
  return row.scope === caller.scope && (caller.owner === undefined || owner === undefined || owner === caller.owner);
}

export function isLive(row: TurnRow): boolean {
  return row.meta.status === "pending" || row.meta.status === "aborting";
}

export function isStale(rows: ReferenceRows, row: TurnRow): boolean {
  return isLive(row) && rows.now() > row.leaseUntil;
}

export function metaOf(rows: ReferenceRows, row: TurnRow): TurnMeta {
  const state = row.content === undefined || isLive(row) ? {} : { state: figuresOf(row.content) };
  return { ...row.meta, stale: isStale(rows, row), ...state };
}

/** What is missing to rebuild the state that children of this row start from. */
export function chainTo(rows: ReferenceRows, start: TurnRow, known: readonly string[]): StateChain {
  const chain: StateRow[] = [];
  for (let row: TurnRow | undefined = start; row !== undefined; row = parentOf(rows, row)) {
    const { snapshotId } = row.meta;
    if (known.includes(snapshotId)) return { knownId: snapshotId, rows: chain.reverse() };
    if (row.content === undefined) continue;
    chain.push({ snapshotId, kind: row.content.kind, json: row.content.json });
    if (row.content.kind === "full") break;
  }
  return { rows: chain.reverse() };
}

export function parentOf(rows: ReferenceRows, row: TurnRow): TurnRow | undefined {
  const { parentId } = row.meta;
  return rows.turns.find((other) => other.scope === row.scope && other.meta.snapshotId === parentId);
}

/** The one way a row changes: its version counts the changes that readers must notice. */
export function change(rows: ReferenceRows, row: TurnRow, fields: Partial<TurnRow["meta"]>): void {
  row.meta = { ...row.meta, ...fields, version: row.meta.version + 1, updatedAt: rows.now() };
  rows.changed(row);
}

export function renew(rows: ReferenceRows, row: TurnRow, leaseMs: number): void {
  row.leaseUntil = rows.now() + leaseMs;
  row.meta = { ...row.meta, heartbeatAt: rows.now() };
}

export function addEvents(rows: ReferenceRows, row: TurnRow, events: readonly string[]): void {
  if (!rows.keepsEvents) return;
  for (const json of events) {
    const seq = row.meta.lastSeq + 1;
    row.events.push({ seq, epoch: row.meta.epoch, json });
    row.meta = { ...row.meta, lastSeq: seq };
  }
}

/** Writes the end of a turn. `epoch` is raised when it is not the turn's own worker that ends it. */
export function finish(
  rows: ReferenceRows,
  row: TurnRow,
  outcome: ClosingOutcome,
  { heads, epoch = row.meta.epoch }: { readonly heads: readonly StoredStatus[]; readonly epoch?: number },
): void {
  row.content = outcome.content;
  row.waiting = outcome.waiting ?? false;
  const { heartbeatAt: _, ...rest } = row.meta;
  row.meta = { ...rest, epoch };
  addEvents(rows, row, outcome.events);
  change(rows, row, { status: outcome.status, result: outcome.result });
  const session = sessionOf(rows, row);
  if (session === undefined) return;
  if (session.meta.activeId === row.meta.snapshotId) setActive(session, undefined);
  session.meta = { ...session.meta, updatedAt: rows.now() };
  if (heads.includes(outcome.status)) becomeResumable(rows, session, row);
}

function becomeResumable(rows: ReferenceRows, session: SessionRow, row: TurnRow): void {
  row.resumable = true;
  const { headId } = session.meta;
  if (row.trunkId !== headId) session.forked = true;
  const head = turnsOf(rows, session).find(({ meta }) => meta.snapshotId === headId);
  if (head !== undefined && head.meta.ordinal > row.meta.ordinal) return;
  session.meta = { ...session.meta, headId: row.meta.snapshotId };
}

export function setActive(session: SessionRow, activeId: string | undefined): void {
  const { activeId: _, ...rest } = session.meta;
  session.meta = activeId === undefined ? rest : { ...rest, activeId };
}
