import type { AgentOutput, FinishReason, Snapshot, SnapshotStatus } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";

/** Whether a row with this status is final, and what its turn's end is called if the row does not say. */
const FINISH: Readonly<Record<SnapshotStatus, FinishReason | "live" | "expired">> = {
  pending: "live",
  aborting: "live",
  completed: "stop",
  failed: "failed",
  aborted: "aborted",
  expired: "expired",
};

/**
 * What an invocation of this turn resolved to, for a reader who was not there when it did; "live" while the turn runs.
 * Throws UNAVAILABLE for an expired one: how it ends is not known to anybody yet.
 */
export function snapshotOutput<Custom>(snapshot: Snapshot<Custom>): AgentOutput<Custom> | "live" {
  const { snapshotId, sessionId, parentId, status, error, usage, state, stateHash } = snapshot;
  const finish = FINISH[status];
  if (finish === "live") return "live";
  if (finish === "expired") throw expired(snapshotId);
  // A row that kept no state of its own (failed, aborted, declined by the policy) is not one to continue from.
  const last = stateHash === undefined ? parentId : snapshotId;
  const output: AgentOutput<Custom> = { sessionId, finishReason: snapshot.finishReason ?? finish };
  const message = status === "completed" ? state?.messages.findLast(({ role }) => role === "model") : undefined;
  if (message !== undefined) output.message = message;
  if (status === "completed" && state !== undefined && state.artifacts.length > 0) output.artifacts = state.artifacts;
  if (error !== undefined) output.error = error;
  if (usage !== undefined) output.usage = usage;
  if (last !== undefined) output.snapshotId = last;
  output.snapshotIds = stateHash === undefined ? [] : [snapshotId];
  return output;
}

function expired(snapshotId: string): AgentError {
  return new AgentError(
    "UNAVAILABLE",
    `Turn ${snapshotId} has expired: its worker has not been heard of. Abort it, or send to its session again.`,
    { details: { snapshotId, status: "expired" } },
  );
}
