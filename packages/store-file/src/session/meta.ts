import type { SessionMeta, StoreTime, TurnMeta } from "@agents/schema/port";
import { toFigures } from "../record/state-field.ts";
import { isLive, isStale, type SessionRow, type TurnRow } from "./tables.ts";

/** The row at this moment, as a fresh object: what a caller holds never changes under it. */
export function toTurnMeta(turn: TurnRow, now: StoreTime): TurnMeta {
  const { session } = turn;
  const meta: { -readonly [Field in keyof TurnMeta]: TurnMeta[Field] } = {
    snapshotId: turn.snapshotId,
    sessionId: session.sessionId,
    agent: turn.agent,
    ordinal: turn.ordinal,
    status: turn.status,
    stale: isStale(turn, now),
    version: turn.version,
    epoch: turn.epoch,
    lastSeq: turn.lastSeq,
    createdAt: turn.createdAt,
    updatedAt: turn.updatedAt,
  };
  if (turn.parentId !== undefined) meta.parentId = turn.parentId;
  if (turn.result !== undefined) meta.result = turn.result;
  if (session.owner !== undefined) meta.owner = session.owner;
  if (turn.live !== undefined) meta.heartbeatAt = turn.live.beatAt;
  // Progress of a live row is for `claim` alone.
  if (turn.state !== undefined && !isLive(turn)) meta.state = toFigures(turn.state.field);
  return meta;
}

export function toSessionMeta(session: SessionRow): SessionMeta {
  const meta: { -readonly [Field in keyof SessionMeta]: SessionMeta[Field] } = {
    sessionId: session.sessionId,
    agent: session.agent,
    state: session.state,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
  };
  if (session.metadata !== undefined) meta.metadata = session.metadata;
  if (session.owner !== undefined) meta.owner = session.owner;
  if (session.head !== undefined) meta.headId = session.head.snapshotId;
  if (session.active !== undefined) meta.activeId = session.active.snapshotId;
  return meta;
}
