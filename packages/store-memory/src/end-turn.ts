import { AgentError } from "@agents/schema/error";
import type { ClosingOutcome, StoredEvent, StoreTime } from "@agents/schema/port";
import { trimEvents } from "./eviction.ts";
import { saveState } from "./saved-state.ts";
import { parentOf, sessionChanged, turnChanged } from "./session-table.ts";
import { mayMove, type StoredStatus } from "./status-moves.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

export interface TurnEnd {
  /** Its events go to the end of the log, under `epoch`. */
  readonly outcome: ClosingOutcome;
  /** Statuses that let the turn become the head. */
  readonly heads: readonly StoredStatus[];
  /** Of the row from now on. */
  readonly epoch: number;
  readonly now: StoreTime;
}

/** Makes a live row final. The caller has checked the lease, or found that it ran out. */
export function endTurn(tables: Tables, turn: TurnRow, { outcome, heads, epoch, now }: TurnEnd): void {
  const { session } = turn;
  refuseIllegalMove(turn, outcome.status);
  turn.epoch = epoch;
  turn.status = outcome.status;
  turn.version++;
  turn.updatedAt = now;
  turn.heartbeatAt = undefined;
  turn.result = outcome.result;
  turn.input = "";
  turn.opening = undefined;
  turn.saved = outcome.content && saveState(turn, outcome.content);
  if (turn.saved !== undefined) turn.start = undefined;
  addEvents(tables, turn, outcome.events);
  if (turn.events.length > 0) turn.logged = tables.logged.touch(turn, turn.logged);
  trimEvents(tables);
  turn.waiting = outcome.waiting === true;
  if (turn.waiting) session.waiting++;
  if (outcome.status === "completed") answerParent(turn);
  leaveSession(session, turn);
  const newest = session.newest[outcome.status];
  if (newest === undefined || newest.ordinal < turn.ordinal) session.newest[outcome.status] = turn;
  if (heads.includes(outcome.status)) becomeResumable(turn);
  sessionChanged(tables, session, now);
  turnChanged(tables, turn);
}

/**
 * Ends a row whose lease ran out, for a caller that is not its writer: the epoch is raised, so that the writer is
 * refused from now on.
 */
export function endStaleTurn(tables: Tables, turn: TurnRow, end: Omit<TurnEnd, "epoch">): void {
  endTurn(tables, turn, { ...end, epoch: turn.epoch + 1 });
}

/** Adds to the end of the log, under the row's epoch. */
export function addEvents(tables: Tables, turn: TurnRow, events: readonly string[]): void {
  const added = events.map((json): StoredEvent => ({ seq: ++turn.lastSeq, epoch: turn.epoch, json }));
  if (turn.events.length === 0) turn.events = added;
  else for (const event of added) turn.events.push(event);
  tables.eventCount += events.length;
}

function refuseIllegalMove({ snapshotId, status }: TurnRow, outcome: StoredStatus): void {
  if (mayMove(status, outcome)) return;
  throw new AgentError("INVALID_ARGUMENT", `Snapshot ${snapshotId} is ${status} and cannot become ${outcome}.`, {
    details: { snapshotId, status, outcome },
  });
}

/** A completed child is the answer that its parent waited for. */
function answerParent(turn: TurnRow): void {
  const parent = parentOf(turn);
  if (parent?.waiting !== true) return;
  parent.waiting = false;
  parent.session.waiting--;
}

function leaveSession(session: SessionRow, turn: TurnRow): void {
  session.live = session.live.filter((other) => other !== turn);
  if (session.active === turn) session.active = undefined;
}

/** The turn can be continued: it may be the head, and it may make a second branch. */
function becomeResumable(turn: TurnRow): void {
  const { session } = turn;
  turn.resumable = true;
  // Rows that never counted as heads lie between no two branches, so the nearest ancestor that did is compared.
  if (turn.trunkId !== session.head?.snapshotId) session.forked = true;
  if (session.head === undefined || session.head.ordinal < turn.ordinal) session.head = turn;
}
