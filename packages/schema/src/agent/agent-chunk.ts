import * as z from "zod";
import { ArtifactSchema } from "./artifact.ts";
import { FinishReasonSchema } from "./finish-reason.ts";
import { SnapshotIdSchema } from "./id.ts";
import { JsonPatchSchema } from "./json-patch.ts";
import { RoleSchema } from "./message.ts";
import { MetadataSchema, open } from "./open-object.ts";
import { PartSchema } from "./part.ts";

/** A piece of a message that is being written. */
export const ModelChunkSchema = open({
  /** @default "model" */
  role: RoleSchema.optional(),
  /** Which message of the turn the piece belongs to, from 0. */
  index: z.number().int().nonnegative().optional(),
  content: z.array(PartSchema),
  metadata: MetadataSchema.optional(),
});
export type ModelChunk = z.infer<typeof ModelChunkSchema>;

/** Sent after the turn's row was written, so what it names can be resumed. */
export const TurnEndSchema = open({
  /** Absent when client-managed, and when the snapshot policy declined the turn. */
  snapshotId: SnapshotIdSchema.optional(),
  finishReason: FinishReasonSchema,
});
export type TurnEnd = z.infer<typeof TurnEndSchema>;

/** One streamed piece of a turn; the runtime sends one field at a time. */
export interface AgentChunk<Status = unknown> extends Omit<z.infer<typeof AgentChunkSchema>, "status"> {
  status?: Status | undefined;
}

export function agentChunkSchema<Status extends z.ZodType>(status: Status) {
  return open({
    modelChunk: ModelChunkSchema.optional(),
    /** RFC 6902 patch of the custom state; the first of a turn replaces the whole document. */
    customPatch: JsonPatchSchema.optional(),
    artifact: ArtifactSchema.optional(),
    status: status.optional(),
    turnEnd: TurnEndSchema.optional(),
  });
}

export const AgentChunkSchema = agentChunkSchema(z.unknown());
