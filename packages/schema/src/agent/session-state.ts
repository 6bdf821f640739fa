import * as z from "zod";
import { ArtifactSchema } from "./artifact.ts";
import { MAX_ID_LENGTH, SessionIdSchema } from "./id.ts";
import { MessageSchema } from "./message.ts";
import { open } from "./open-object.ts";

/** What a conversation is: portable between stores and clients, free of our ids and timestamps. */
export interface SessionState<Custom = unknown> extends Omit<z.infer<typeof SessionStateSchema>, "custom"> {
  custom?: Custom | undefined;
}

/** A state that a client brings along. What it leaves out starts empty. */
export interface InitialState<Custom = unknown> extends Omit<z.infer<typeof InitialStateSchema>, "custom"> {
  custom?: Custom | undefined;
}

/** The schema of a state whose `custom` is checked by the application's own schema. */
export function sessionStateSchema<Custom extends z.ZodType>(custom: Custom) {
  return open({
    sessionId: SessionIdSchema,
    messages: z.array(MessageSchema),
    custom: custom.optional(),
    artifacts: z.array(ArtifactSchema),
  });
}

export function initialStateSchema<Custom extends z.ZodType>(custom: Custom) {
  // An older client that has no session yet sends a blank id with its state; it counts as none.
  return sessionStateSchema(custom)
    .extend({ sessionId: z.string().max(MAX_ID_LENGTH) })
    .partial();
}

export const SessionStateSchema = sessionStateSchema(z.unknown());
export const InitialStateSchema = initialStateSchema(z.unknown());
