import * as z from "zod";
import {
  AgentInputSchema,
  ArtifactSchema,
  InteractionIdSchema,
  JsonPatchSchema,
  MessageSchema,
  MetadataSchema,
  ModelChunkSchema,
  open,
  SnapshotIdSchema,
  ToolRequestSchema,
  TurnEndSchema,
  UsageSchema,
  WireErrorSchema,
} from "../../agent/index.ts";
import { InteractionTypeSchema } from "./interaction.ts";

const tool = { name: z.string().min(1), ref: z.string().optional() };

/**
 * The tool message that was streamed for all calls of one model message: it stands on the event of the call that was
 * answered last, whichever way (run, failed, answered by a person, closed unanswered).
 */
const toolMessage = ModelChunkSchema.optional();

/**
 * The data of each event type. An event that was also a chunk holds the whole of it under the field's own name
 * (`chunk` for a model chunk), so that the chunks a connected client saw can be made again from the log alone.
 */
export const EVENT_DATA = {
  "turn.started": open({
    /** Tells the inputs of a detached row apart: they share its id. */
    turnIndex: z.number().int().nonnegative(),
    input: AgentInputSchema.optional(),
    parentTurnId: SnapshotIdSchema.optional(),
  }),
  "turn.completed": open({ turnEnd: TurnEndSchema, usage: UsageSchema.optional() }),
  "turn.failed": open({ turnEnd: TurnEndSchema.optional(), error: WireErrorSchema }),
  "turn.canceled": open({ turnEnd: TurnEndSchema.optional(), reason: z.string().optional() }),
  /** A takeover: whatever was shown of this turn before is void. */
  "turn.restarted": open({ epoch: z.number().int().positive() }),
  "assistant.delta": open({ chunk: ModelChunkSchema }),
  "assistant.completed": open({ message: MessageSchema }),
  /** A chunk that holds nothing but reasoning. */
  "reasoning.delta": open({ chunk: ModelChunkSchema }),
  "tool.started": open({ ...tool, input: z.unknown().optional() }),
  "tool.progress": open({ ...tool, chunk: ModelChunkSchema.optional(), progress: z.unknown().optional() }),
  "tool.completed": open({ ...tool, output: z.unknown().optional(), chunk: toolMessage }),
  "tool.failed": open({ ...tool, error: WireErrorSchema, chunk: toolMessage }),
  "interaction.requested": open({
    interactionId: InteractionIdSchema,
    type: InteractionTypeSchema,
    toolRequest: ToolRequestSchema,
    metadata: MetadataSchema.optional(),
  }),
  "interaction.resolved": open({
    interactionId: InteractionIdSchema,
    output: z.unknown().optional(),
    chunk: toolMessage,
  }),
  "interaction.canceled": open({
    interactionId: InteractionIdSchema,
    reason: z.string().optional(),
    chunk: toolMessage,
  }),
  "state.patched": open({ patch: JsonPatchSchema }),
  "artifact.added": open({ artifact: ArtifactSchema }),
  "status.updated": open({ status: z.unknown() }),
};

export type KnownEventType = keyof typeof EVENT_DATA;
export type EventData<Type extends KnownEventType> = z.infer<(typeof EVENT_DATA)[Type]>;
