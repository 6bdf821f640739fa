import * as z from "zod";
import {
  InteractionIdSchema,
  MetadataSchema,
  open,
  SessionIdSchema,
  SnapshotIdSchema,
  TimestampSchema,
  ToolRequestSchema,
} from "../../agent/index.ts";

export const InteractionTypeSchema = z.enum(["approval", "clarification", "input"]);
export type InteractionType = z.infer<typeof InteractionTypeSchema>;

export const InteractionStateSchema = z.enum(["pending", "resolved", "canceled"]);
export type InteractionState = z.infer<typeof InteractionStateSchema>;

/** A tool call that waits for a person. */
export const InteractionSchema = open({
  interactionId: InteractionIdSchema,
  turnId: SnapshotIdSchema,
  sessionId: SessionIdSchema,
  type: InteractionTypeSchema,
  state: InteractionStateSchema,
  /** The call that waits. */
  toolRequest: ToolRequestSchema,
  /** What the tool said when it interrupted: the question, the choices. */
  metadata: MetadataSchema.optional(),
  /** The answer, once resolved. */
  output: z.unknown().optional(),
  /** The turn that went on with the answer. */
  continuedBy: SnapshotIdSchema.optional(),
  resolvedBy: z.string().optional(),
  createdAt: TimestampSchema,
  resolvedAt: TimestampSchema.optional(),
});
export type Interaction = z.infer<typeof InteractionSchema>;

/** Either the tool's output, or the word to run it again. */
export const ResolveInteractionRequestSchema = open({
  respond: open({ output: z.unknown() }).optional(),
  restart: open({ metadata: MetadataSchema.optional() }).optional(),
}).check(({ value, issues }) => {
  if ((value.respond === undefined) !== (value.restart === undefined)) return;
  issues.push({ code: "custom", path: [], input: value, message: "needs exactly one of respond and restart" });
});
export type ResolveInteractionRequest = z.infer<typeof ResolveInteractionRequestSchema>;
