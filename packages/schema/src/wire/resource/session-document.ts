import * as z from "zod";
import {
  AgentNameSchema,
  FinishReasonSchema,
  JsonPatchSchema,
  open,
  SessionIdSchema,
  SessionStateSchema,
  SnapshotIdSchema,
  TimestampSchema,
  UsageSchema,
  WireErrorSchema,
} from "../../agent/index.ts";
import { SessionLifecycleSchema } from "./session.ts";
import { VisibilitySchema } from "./turn-event.ts";

const MAX_TEXT_LENGTH = 1024;

const count = () => z.number().int().positive();
/** Milliseconds since 1970. */
const time = () => z.number().int().nonnegative();
const hash = () => z.string().regex(/^[0-9a-f]{64}$/, "a state hash is 64 lower-case hex digits");
const text = () => z.string().max(MAX_TEXT_LENGTH);

/** An entry of a turn's log as it was written. Its data is what the writer's version put there. */
export const DocumentEventSchema = open({
  /** Of the writer: raised by each takeover. */
  epoch: count(),
  event: open({
    turnId: SnapshotIdSchema,
    seq: count(),
    type: z.string().min(1),
    source: z.string(),
    visibility: VisibilitySchema,
    createdAt: TimestampSchema,
  }),
});

/** A whole state, or an RFC 6902 patch against the state of the nearest ancestor that has one. */
export const DocumentStateSchema = z.union([
  open({ hash: hash(), full: SessionStateSchema }),
  open({ hash: hash(), patch: JsonPatchSchema }),
]);

/** A turn that has ended. */
export const DocumentTurnSchema = open({
  snapshotId: SnapshotIdSchema,
  agent: AgentNameSchema,
  /** May name a turn that was pruned. */
  parentId: SnapshotIdSchema.optional(),
  ordinal: count(),
  status: z.enum(["completed", "failed", "aborted"], "only turns that have ended can be in a session document"),
  epoch: count(),
  version: count(),
  lastSeq: z.number().int().nonnegative(),
  createdAt: time(),
  updatedAt: time(),
  result: open({
    finishReason: FinishReasonSchema,
    error: WireErrorSchema.optional(),
    usage: UsageSchema.optional(),
  }).optional(),
  input: z.unknown().optional(),
  fingerprint: text().optional(),
  /** The nearest ancestor that could be continued from when this turn began. */
  trunkId: SnapshotIdSchema.optional(),
  resumable: z.boolean(),
  waiting: z.boolean(),
  state: DocumentStateSchema.optional(),
  /** Empty where they were pruned. */
  events: z.array(DocumentEventSchema),
});
export type DocumentTurn = z.infer<typeof DocumentTurnSchema>;

/** A session outside of any store, whole: what a file of it holds. */
export const SessionDocumentSchema = open({
  format: z.literal("agents.session"),
  version: z.literal(1),
  session: open({
    sessionId: SessionIdSchema,
    agent: AgentNameSchema,
    state: SessionLifecycleSchema,
    metadata: z.unknown().optional(),
    owner: text().optional(),
    headId: SnapshotIdSchema.optional(),
    forked: z.boolean(),
    fingerprint: text().optional(),
    createdAt: time(),
    updatedAt: time(),
  }),
  /** By ordinal. */
  turns: z.array(DocumentTurnSchema),
});
export type SessionDocument = z.infer<typeof SessionDocumentSchema>;
