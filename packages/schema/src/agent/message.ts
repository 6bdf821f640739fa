import * as z from "zod";
import { MetadataSchema, open } from "./open-object.ts";
import { GivenPartSchema, PartSchema } from "./part.ts";

export const RoleSchema = z.enum(["system", "user", "model", "tool"]);
export type Role = z.infer<typeof RoleSchema>;

export const MessageSchema = open({
  role: RoleSchema,
  content: z.array(PartSchema),
  metadata: MetadataSchema.optional(),
});
export type Message = z.infer<typeof MessageSchema>;

/** What a client may say. Other roles are the agent's to write: a client that could would forge tool results. */
export const UserMessageSchema = open({
  ...MessageSchema.shape,
  role: z.literal("user"),
  content: z.array(GivenPartSchema),
});
export type UserMessage = z.infer<typeof UserMessageSchema>;
