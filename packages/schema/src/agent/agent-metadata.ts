import * as z from "zod";
import { AgentNameSchema } from "./id.ts";
import { MetadataSchema, open } from "./open-object.ts";

/** What a client must know of an agent before it talks to it. */
export const AgentMetadataSchema = open({
  stateManagement: z.enum(["server", "client"]),
  /** Whether `abort` by id works: a store is there. */
  abortable: z.boolean(),
  /** JSON Schema of `custom`. */
  stateSchema: MetadataSchema.optional(),
});
export type AgentMetadata = z.infer<typeof AgentMetadataSchema>;

export const AgentDescriptionSchema = open({
  name: AgentNameSchema,
  description: z.string().optional(),
  metadata: AgentMetadataSchema,
});
export type AgentDescription = z.infer<typeof AgentDescriptionSchema>;
