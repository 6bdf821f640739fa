import * as z from "zod";
import { SessionIdSchema, SnapshotIdSchema } from "./id.ts";
import { UserMessageSchema } from "./message.ts";
import { open } from "./open-object.ts";
import { ToolRequestPartSchema, ToolResponsePartSchema } from "./part.ts";
import { type InitialState, initialStateSchema } from "./session-state.ts";

/** Answers to the tool calls that interrupted a turn; each must match an unanswered request by name and ref. */
export const ResumeSchema = open({
  /** Supplies the output of the call. */
  respond: z.array(ToolResponsePartSchema).optional(),
  /** Runs the tool again with the same input; `metadata.resumed` reaches it. */
  restart: z.array(ToolRequestPartSchema).optional(),
});
export type Resume = z.infer<typeof ResumeSchema>;

/** One turn's input. Without message and resume the turn runs on the conversation as it stands. */
export const AgentInputSchema = open({
  message: UserMessageSchema.optional(),
  resume: ResumeSchema.optional(),
  /** The client leaves; the turn goes on in the background. Alone, it starts no turn. */
  detach: z.boolean().optional(),
});
export type AgentInput = z.infer<typeof AgentInputSchema>;

/** Where an invocation starts from: a session, one snapshot, or a state that the client carries. */
export interface AgentInit<Custom = unknown> extends Omit<z.infer<typeof AgentInitSchema>, "state"> {
  state?: InitialState<Custom> | undefined;
}

export function agentInitSchema<Custom extends z.ZodType>(custom: Custom) {
  return open({
    sessionId: SessionIdSchema.optional(),
    snapshotId: SnapshotIdSchema.optional(),
    state: initialStateSchema(custom).optional(),
  });
}

export const AgentInitSchema = agentInitSchema(z.unknown());
