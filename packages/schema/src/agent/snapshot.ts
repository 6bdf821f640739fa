import * as z from "zod";
import { FinishReasonSchema } from "./finish-reason.ts";
import { CursorSchema, SessionIdSchema, SnapshotIdSchema, TimestampSchema } from "./id.ts";
import { open } from "./open-object.ts";
import { type SessionState, sessionStateSchema } from "./session-state.ts";
import { UsageSchema } from "./usage.ts";
import { WireErrorSchema } from "./wire-error.ts";

/** What a store keeps. `pending` and `aborting` are live, the others final. */
export const StoredStatusSchema = z.enum(["pending", "aborting", "completed", "failed", "aborted"]);
export type StoredStatus = z.infer<typeof StoredStatusSchema>;

/** What a reader sees: a pending row whose lease ran out reads `expired`; no store ever holds that word. */
export const SnapshotStatusSchema = z.enum([...StoredStatusSchema.options, "expired"]);
export type SnapshotStatus = z.infer<typeof SnapshotStatusSchema>;

/** The record of a turn, without its state. */
export const SnapshotSummarySchema = open({
  snapshotId: SnapshotIdSchema,
  sessionId: SessionIdSchema,
  /** The snapshot this turn started from; two with the same parent are branches. */
  parentId: SnapshotIdSchema.optional(),
  /** Place in the session, from 1, in the order turns began. */
  ordinal: z.number().int().positive(),
  status: SnapshotStatusSchema,
  finishReason: FinishReasonSchema.optional(),
  error: WireErrorSchema.optional(),
  usage: UsageSchema.optional(),
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema.optional(),
  /** Last sign of life of the worker, while live. */
  heartbeatAt: TimestampSchema.optional(),
  /** Raised at each takeover: a writer with an older one is refused. */
  epoch: z.number().int().positive(),
  /** Content address of the state; the same on every store. Absent while live and when no state was saved. */
  stateHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "a state hash is 64 lower-case hex digits")
    .optional(),
});
export type SnapshotSummary = z.infer<typeof SnapshotSummarySchema>;

export interface Snapshot<Custom = unknown> extends SnapshotSummary {
  state?: SessionState<Custom> | undefined;
}

export function snapshotSchema<Custom extends z.ZodType>(custom: Custom) {
  return open({ ...SnapshotSummarySchema.shape, state: sessionStateSchema(custom).optional() });
}

export const SnapshotSchema = snapshotSchema(z.unknown());

export const GetSnapshotRequestSchema = open({
  snapshotId: SnapshotIdSchema.optional(),
  /** Alone: the newest snapshot of the session. With a snapshotId: it must belong to this session. */
  sessionId: SessionIdSchema.optional(),
}).check(({ value, issues }) => {
  if (value.snapshotId !== undefined || value.sessionId !== undefined) return;
  issues.push({ code: "custom", path: [], input: value, message: "needs a snapshotId or a sessionId" });
});
export type GetSnapshotRequest = z.infer<typeof GetSnapshotRequestSchema>;

export const ListSnapshotsRequestSchema = open({
  sessionId: SessionIdSchema,
  cursor: CursorSchema.optional(),
  /** @default 100 */
  limit: z.number().int().min(1).max(1000).optional(),
});
export type ListSnapshotsRequest = z.infer<typeof ListSnapshotsRequestSchema>;

/** Newest first. */
export const SnapshotPageSchema = open({ snapshots: z.array(SnapshotSummarySchema), cursor: CursorSchema.optional() });
export type SnapshotPage = z.infer<typeof SnapshotPageSchema>;

export const WaitForSnapshotRequestSchema = open({
  snapshotId: SnapshotIdSchema,
  /** How long to wait for a final status, in milliseconds; then DEADLINE_EXCEEDED. */
  timeoutMs: z.number().int().nonnegative().optional(),
});
export type WaitForSnapshotRequest = z.infer<typeof WaitForSnapshotRequestSchema>;

export const AbortRequestSchema = open({ snapshotId: SnapshotIdSchema });
export type AbortRequest = z.infer<typeof AbortRequestSchema>;

/** Both statuses are absent for an id that is unknown to this caller. */
export const AbortResultSchema = open({
  snapshotId: SnapshotIdSchema,
  previousStatus: SnapshotStatusSchema.optional(),
  status: SnapshotStatusSchema.optional(),
});
export type AbortResult = z.infer<typeof AbortResultSchema>;
