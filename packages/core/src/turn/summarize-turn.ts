import type { SnapshotStatus, SnapshotSummary, StoredStatus } from "@agents/schema/agent";
import type { TurnMeta } from "@agents/schema/port";
import { decodeTurnResult } from "./turn-result.ts";

/** How a row whose lease ran out reads. Nothing is written for it: a late heartbeat makes it live again. */
const WHEN_STALE = {
  pending: "expired",
  aborting: "aborted",
  completed: "completed",
  failed: "failed",
  aborted: "aborted",
} as const satisfies Record<StoredStatus, SnapshotStatus>;

/** The status that readers see. */
export function readStatus({ status, stale }: Pick<TurnMeta, "status" | "stale">): SnapshotStatus {
  return stale ? WHEN_STALE[status] : status;
}

/** A row as a snapshot without its state. */
export function summarizeTurn(turn: TurnMeta): SnapshotSummary {
  const { snapshotId, sessionId, parentId, ordinal, epoch, result, createdAt, updatedAt, heartbeatAt, state } = turn;
  return {
    snapshotId,
    sessionId,
    ...(parentId === undefined ? {} : { parentId }),
    ordinal,
    status: readStatus(turn),
    ...(result === undefined ? {} : decodeTurnResult(snapshotId, result)),
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
    ...(heartbeatAt === undefined ? {} : { heartbeatAt: time(heartbeatAt) }),
    epoch,
    ...(state === undefined ? {} : { stateHash: state.stateHash }),
  };
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
