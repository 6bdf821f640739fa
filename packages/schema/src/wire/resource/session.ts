import * as z from "zod";
import {
  AgentNameSchema,
  IdempotencyKeySchema,
  MetadataSchema,
  open,
  SessionIdSchema,
  SnapshotIdSchema,
  TimestampSchema,
} from "../../agent/index.ts";

export const SessionLifecycleSchema = z.enum(["active", "archived"]);
export type SessionLifecycle = z.infer<typeof SessionLifecycleSchema>;

/** A conversation as a resource. */
export const SessionSchema = open({
  sessionId: SessionIdSchema,
  agent: AgentNameSchema,
  /** An archived session is read-only. */
  state: SessionLifecycleSchema,
  metadata: MetadataSchema.optional(),
  /** The subject that created it. For another subject it does not exist. */
  createdBy: z.string().optional(),
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema,
  /** The newest turn that a send by sessionId continues from. */
  latestTurnId: SnapshotIdSchema.optional(),
});
export type Session = z.infer<typeof SessionSchema>;

export const CreateSessionRequestSchema = open({
  /** May be left out where the server has one agent. */
  agent: AgentNameSchema.optional(),
  sessionId: SessionIdSchema.optional(),
  metadata: MetadataSchema.optional(),
  /** The header `Idempotency-Key` does the same. */
  idempotencyKey: IdempotencyKeySchema.optional(),
});
export type CreateSessionRequest = z.infer<typeof CreateSessionRequestSchema>;

/** A field that is left out stays as it is; `metadata` is replaced as a whole. */
export const UpdateSessionRequestSchema = open({
  metadata: MetadataSchema.optional(),
  state: SessionLifecycleSchema.optional(),
});
export type UpdateSessionRequest = z.infer<typeof UpdateSessionRequestSchema>;
