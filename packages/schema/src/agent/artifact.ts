import * as z from "zod";
import { MetadataSchema, open } from "./open-object.ts";
import { PartSchema } from "./part.ts";

/** Something the agent produced. A non-empty name identifies it: the same name again replaces it in place. */
export const ArtifactSchema = open({
  name: z.string().optional(),
  parts: z.array(PartSchema),
  metadata: MetadataSchema.optional(),
});
export type Artifact = z.infer<typeof ArtifactSchema>;
