import * as z from "zod";
import { ArtifactSchema } from "./artifact.ts";
import { FinishReasonSchema } from "./finish-reason.ts";
import { SessionIdSchema, SnapshotIdSchema } from "./id.ts";
import { MessageSchema } from "./message.ts";
import { open } from "./open-object.ts";
import { type SessionState, sessionStateSchema } from "./session-state.ts";
import { UsageSchema } from "./usage.ts";
import { WireErrorSchema } from "./wire-error.ts";

/** What an agent's own function returns. */
export const AgentResultSchema = open({
  message: MessageSchema.optional(),
  artifacts: z.array(ArtifactSchema).optional(),
  /** @default the reason of the last turn */
  finishReason: FinishReasonSchema.optional(),
});
export type AgentResult = z.infer<typeof AgentResultSchema>;

/** What an invocation resolves to. A failure is a value too: `finishReason: "failed"` with `error`. */
export interface AgentOutput<Custom = unknown> extends Omit<z.infer<typeof AgentOutputSchema>, "state"> {
  state?: SessionState<Custom> | undefined;
}

export function agentOutputSchema<Custom extends z.ZodType>(custom: Custom) {
  return open({
    sessionId: SessionIdSchema,
    finishReason: FinishReasonSchema,
    message: MessageSchema.optional(),
    artifacts: z.array(ArtifactSchema).optional(),
    /** With `finishReason: "failed"`; never a stack or a raw thrown value. */
    error: WireErrorSchema.optional(),
    usage: UsageSchema.optional(),
    /** Server-managed only: the snapshot to continue from. */
    snapshotId: SnapshotIdSchema.optional(),
    /** Server-managed only: every snapshot this invocation made, oldest first. */
    snapshotIds: z.array(SnapshotIdSchema).optional(),
    /** Client-managed only: the state to send with the next invocation. */
    state: sessionStateSchema(custom).optional(),
  });
}

export const AgentOutputSchema = agentOutputSchema(z.unknown());
