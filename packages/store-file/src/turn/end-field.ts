import { AgentError } from "@agents/schema/error";
import type { ClosingOutcome, TurnMeta } from "@agents/schema/port";
import type { EndField, StaleField } from "../record/record.ts";
import type { ColumnDraft } from "../record/record-draft.ts";
import type { LiveTurn, SessionRow, TurnRow } from "../session/tables.ts";
import { mayMove } from "./status-moves.ts";

export interface End {
  readonly outcome: ClosingOutcome;
  /** Statuses that let the turn become the head. */
  readonly heads: readonly TurnMeta["status"][];
}

/** How a turn ends, as a record says it. Throws INVALID_ARGUMENT for a status that it cannot get. */
export function toEndField(turn: TurnRow, { outcome, heads }: End, columns: ColumnDraft): EndField {
  const { status, result, content, waiting } = outcome;
  if (!mayMove(turn.status, status)) throw illegalMove(turn, status);
  const state = content && columns.state(content);
  const events = columns.events(outcome.events);
  return {
    status,
    result,
    ...(state && { state }),
    ...(events && { events }),
    ...(waiting === true && { waiting }),
    ...(heads.includes(status) && { resumable: true }),
  };
}

/** Most journals have one session: its number, 0, is left out. */
export function sessionField({ number }: SessionRow): { readonly s?: number } {
  return number === 0 ? {} : { s: number };
}

export function toStaleField(turn: TurnRow & { readonly live: LiveTurn }, end: End, columns: ColumnDraft): StaleField {
  const { session, ordinal, live } = turn;
  return { ...sessionField(session), n: ordinal, until: live.leaseUntil, end: toEndField(turn, end, columns) };
}

function illegalMove({ snapshotId, status }: TurnRow, outcome: string): AgentError {
  return new AgentError("INVALID_ARGUMENT", `Snapshot ${snapshotId} is ${status} and cannot become ${outcome}.`, {
    details: { snapshotId, status, outcome },
  });
}
