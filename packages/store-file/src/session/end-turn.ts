import type { StoreTime } from "@agents/schema/port";
import type { LineColumns } from "../record/line.ts";
import type { ColumnRun, EndField, StateField } from "../record/record.ts";
import { isLive, parentOf, type SavedState, type Tables, type TurnRow } from "./tables.ts";

export interface TurnEnd {
  readonly end: EndField;
  readonly columns: LineColumns;
  /** Of the row from now on. */
  readonly epoch: number;
  readonly at: StoreTime;
}

/** Makes a live row final. */
export function endTurn(tables: Tables, turn: TurnRow, { end, columns, epoch, at }: TurnEnd): void {
  const { session } = turn;
  turn.epoch = epoch;
  dropText(tables, turn.state?.text.size);
  if (isLive(turn)) dropText(tables, turn.live.input.size);
  turn.live = undefined;
  turn.state = end.state && toSavedState(end.state, columns);
  turn.result = end.result;
  turn.waiting = end.waiting === true;
  addEvents(turn, end.events, columns);
  turn.status = end.status;
  turnChanged(tables, turn, at);
  if (end.status === "completed") answerParent(turn);
  if (session.active === turn) session.active = undefined;
  session.updatedAt = at;
  if (end.resumable === true) becomeResumable(turn);
}

/** The one way a row changes: its version counts the changes that readers must notice. */
export function turnChanged(tables: Tables, turn: TurnRow, at: StoreTime): void {
  turn.version++;
  turn.updatedAt = at;
  tables.changed(turn);
}

/** Adds to the end of the log, under the row's epoch. */
export function addEvents(turn: TurnRow, run: ColumnRun | undefined, columns: LineColumns): void {
  if (run === undefined) return;
  const [, count] = run;
  const { epoch } = turn;
  turn.events.push({ first: turn.lastSeq + 1, count, epoch, text: columns.run(run) });
  turn.lastSeq += count;
}

export function toSavedState(field: StateField, columns: LineColumns): SavedState {
  return { field, text: columns.run(field[1]) };
}

export function dropText(tables: Tables, size: number | undefined): void {
  tables.garbage += size ?? 0;
}

/** A completed child is the answer that its parent waited for. */
function answerParent(turn: TurnRow): void {
  const parent = parentOf(turn);
  if (parent !== undefined) parent.waiting = false;
}

/** The turn can be continued: it may be the head, and it may make a second branch. */
function becomeResumable(turn: TurnRow): void {
  const { session } = turn;
  turn.resumable = true;
  // Rows that never counted as heads lie between no two branches, so the nearest ancestor that did is compared.
  if (turn.trunkId !== session.head?.snapshotId) session.forked = true;
  if (session.head === undefined || session.head.ordinal < turn.ordinal) session.head = turn;
}
