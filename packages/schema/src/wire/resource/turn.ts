import * as z from "zod";
import {
  AgentInputSchema,
  AgentNameSchema,
  ArtifactSchema,
  type FinishReason,
  FinishReasonSchema,
  IdempotencyKeySchema,
  MessageSchema,
  open,
  PositionSchema,
  SessionIdSchema,
  SnapshotIdSchema,
  type SnapshotStatus,
  TimestampSchema,
  UsageSchema,
  WireErrorSchema,
} from "../../agent/index.ts";

export const TurnStatusSchema = z.enum([
  "pending",
  "running",
  "succeeded",
  "failed",
  "canceled",
  "expired",
  "waiting_for_input",
]);
export type TurnStatus = z.infer<typeof TurnStatusSchema>;

/** A snapshot's row as a resource. */
export const TurnSchema = open({
  turnId: SnapshotIdSchema,
  sessionId: SessionIdSchema,
  agent: AgentNameSchema,
  /** The turn it continued from. */
  parentTurnId: SnapshotIdSchema.optional(),
  status: TurnStatusSchema,
  input: AgentInputSchema.optional(),
  message: MessageSchema.optional(),
  artifacts: z.array(ArtifactSchema).optional(),
  finishReason: FinishReasonSchema.optional(),
  error: WireErrorSchema.optional(),
  usage: UsageSchema.optional(),
  /** Position of the last stored event. */
  position: PositionSchema.optional(),
  createdBy: z.string().optional(),
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema.optional(),
});
export type Turn = z.infer<typeof TurnSchema>;

export const CreateTurnRequestSchema = open({
  input: AgentInputSchema,
  /** Continues from this turn instead of the session's latest: a branch. */
  parentTurnId: SnapshotIdSchema.optional(),
  /** The header `Idempotency-Key` does the same. */
  idempotencyKey: IdempotencyKeySchema.optional(),
});
export type CreateTurnRequest = z.infer<typeof CreateTurnRequestSchema>;

const FROM_ROW = {
  pending: "running",
  // The worker is still unwinding; the word for "asked to stop" is the snapshot's, not the turn's.
  aborting: "running",
  completed: "succeeded",
  failed: "failed",
  aborted: "canceled",
  expired: "expired",
} as const satisfies Record<SnapshotStatus, TurnStatus>;

/** How a row reads as a turn. An interrupted turn is complete as a row, but its work waits for a person. */
export function turnStatus(status: SnapshotStatus, finishReason: FinishReason | undefined): TurnStatus {
  return status === "completed" && finishReason === "interrupted" ? "waiting_for_input" : FROM_ROW[status];
}
