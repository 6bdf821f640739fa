import type { StoreTime, TurnMeta } from "@agents/schema/port";
import { isLive } from "./status-moves.ts";
import type { TurnRow } from "./tables.ts";

/** The row at this moment, as a fresh object: what a caller holds never changes under it. */
export function toTurnMeta(turn: TurnRow, now: StoreTime): TurnMeta {
  const meta: { -readonly [Field in keyof TurnMeta]: TurnMeta[Field] } = {
    snapshotId: turn.snapshotId,
    sessionId: turn.session.sessionId,
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
  if (turn.owner !== undefined) meta.owner = turn.owner;
  if (turn.heartbeatAt !== undefined) meta.heartbeatAt = turn.heartbeatAt;
  // Progress of a live row is for `claim` alone.
  if (turn.saved !== undefined && !isLive(turn.status)) meta.state = turn.saved.figures;
  return meta;
}

/** A lease of 60 s runs out when 60 s have passed, not a moment later. A final row has no lease. */
export function isStale(turn: TurnRow, now: StoreTime): boolean {
  return isLive(turn.status) && turn.leaseUntil <= now;
}
