import type { StoreTime } from "@agents/schema/port";
import type { Text } from "../record/line.ts";
import type { ColumnRun, NewSessionField, StateField, WholeTurn } from "../record/record.ts";
import { ColumnDraft, type RecordDraft } from "../record/record-draft.ts";
import type { SessionRow, TurnRow } from "./tables.ts";

export interface WholeOptions {
  readonly at: StoreTime;
  /** The exact text of a single column. */
  readonly textOf: (text: Text) => string;
  /** Columns in a row, as they are. */
  readonly columnsOf: (text: Text) => readonly string[];
}

/** A session as one record, live turns included. */
export function wholeSession(session: SessionRow, options: WholeOptions): RecordDraft {
  const columns = new ColumnDraft();
  const { head, active, forked, lastOrdinal, state, createdAt, updatedAt } = session;
  const turns = session.turns.map((turn) => wholeTurn(turn, columns, options));
  const record = {
    t: "whole",
    at: options.at,
    s: session.number,
    session: {
      ...newSessionField(session),
      state,
      createdAt,
      updatedAt,
      lastOrdinal,
      ...(head && { head: head.ordinal }),
      ...(active && { active: active.ordinal }),
      ...(forked && { forked }),
    },
    turns,
  } as const;
  return { record, columns };
}

function newSessionField({ sessionId, agent, owner, fingerprint, metadata }: SessionRow): NewSessionField {
  return {
    id: sessionId,
    agent,
    ...(owner !== undefined && { owner }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(metadata !== undefined && { metadata }),
  };
}

function wholeTurn(turn: TurnRow, columns: ColumnDraft, { textOf, columnsOf }: WholeOptions): WholeTurn {
  const { state, live, parentId, parent, trunkId, fingerprint, result } = turn;
  const events = turn.events.map(
    ({ first, epoch, text }) => [first, epoch, columns.encodedRun(columnsOf(text))] as const,
  );
  return {
    id: turn.snapshotId.slice(turn.snapshotId.indexOf(".") + 1),
    n: turn.ordinal,
    agent: turn.agent,
    ...(parentId !== undefined && { parentId }),
    ...(parent !== undefined && { parent }),
    ...(trunkId !== undefined && { trunkId }),
    ...(fingerprint !== undefined && { fingerprint }),
    createdAt: turn.createdAt,
    updatedAt: turn.updatedAt,
    status: turn.status,
    version: turn.version,
    epoch: turn.epoch,
    lastSeq: turn.lastSeq,
    ...(result !== undefined && { result }),
    ...(turn.waiting && { waiting: true }),
    ...(turn.resumable && { resumable: true }),
    ...(state && { state: withColumns(state.field, columns.encodedRun(columnsOf(state.text))) }),
    ...(events.length > 0 && { events }),
    ...(live && {
      live: {
        writer: live.writer,
        until: live.leaseUntil,
        beatAt: live.beatAt,
        input: columns.text(textOf(live.input)),
        ...(live.opening && { opening: live.opening }),
      },
    }),
  };
}

function withColumns([kind, , ...figures]: StateField, run: ColumnRun): StateField {
  return [kind, run, ...figures];
}
