import type { AgentOutput, FinishReason, Snapshot, SnapshotStatus } from "@agents/schema/agent";

/**
 * The output of a turn's invocation, as its row tells it, for those who were not there at the end. Messages and artifacts
 * that an agent returned without keeping them in the session are in its own output alone.
 */
export function outputOfSnapshot(snapshot: Snapshot): AgentOutput {
  const { snapshotId, sessionId, parentId, status, error, usage, state } = snapshot;
  const kept = snapshot.stateHash !== undefined;
  const message = status === "completed" ? state?.messages.findLast(({ role }) => role === "model") : undefined;
  const resumable = kept ? snapshotId : parentId;
  return {
    sessionId,
    finishReason: snapshot.finishReason ?? REASON[status],
    ...(message === undefined ? {} : { message }),
    ...(status === "completed" && state !== undefined && state.artifacts.length > 0
      ? { artifacts: state.artifacts }
      : {}),
    ...(error === undefined ? {} : { error }),
    ...(usage === undefined ? {} : { usage }),
    ...(resumable === undefined ? {} : { snapshotId: resumable }),
    snapshotIds: kept ? [snapshotId] : [],
  };
}

/** Of a row that says no reason. */
const REASON = {
  pending: "unknown",
  aborting: "aborted",
  completed: "unknown",
  failed: "failed",
  aborted: "aborted",
  expired: "failed",
} as const satisfies Record<SnapshotStatus, FinishReason>;
