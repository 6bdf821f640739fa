import type { AgentChunk, ModelChunk } from "@agents/schema/agent";
import type { StoredEvent } from "@agents/schema/port";
import type { CustomEventType, KnownEventType, TurnEvent } from "@agents/schema/wire";

export interface EventOfChunk {
  readonly type: KnownEventType | CustomEventType;
  readonly data: unknown;
  /**
   * Whether clients may see it before it is stored. What they may act upon (an artifact, a status) must not be shown and
   * then be gone.
   */
  readonly early: boolean;
}

/** Fields that are ours; what else a chunk holds is the application's, and is kept. */
const KNOWN = ["modelChunk", "customPatch", "artifact", "status", "turnEnd"] as const;
const OTHER_FIELDS = "custom.chunk";

/** A chunk of several fields as chunks of one, in a fixed order: one chunk is one event. */
export function splitChunk<Status>(chunk: AgentChunk<Status>): readonly AgentChunk<Status>[] {
  const keys = Object.keys(chunk);
  if (keys.length <= 1) return keys.length === 0 ? [] : [chunk];
  const { modelChunk, customPatch, artifact, status, turnEnd, ...others } = chunk;
  const parts: AgentChunk<Status>[] = [];
  if (modelChunk !== undefined) parts.push({ modelChunk });
  if (customPatch !== undefined) parts.push({ customPatch });
  if (artifact !== undefined) parts.push({ artifact });
  if (status !== undefined) parts.push({ status });
  if (turnEnd !== undefined) parts.push({ turnEnd });
  if (Object.keys(others).length > 0) parts.push(others);
  return parts;
}

/** The event that a chunk of one field is logged as. */
export function eventOfChunk(chunk: AgentChunk): EventOfChunk {
  const { modelChunk, customPatch, artifact } = chunk;
  if (modelChunk !== undefined) return eventOfModelChunk(modelChunk);
  if (customPatch !== undefined) return { type: "state.patched", data: { patch: customPatch }, early: true };
  if (artifact !== undefined) return { type: "artifact.added", data: { artifact }, early: false };
  if ("status" in chunk) return { type: "status.updated", data: { status: chunk.status }, early: false };
  return { type: OTHER_FIELDS, data: chunk, early: true };
}

function eventOfModelChunk(chunk: ModelChunk): EventOfChunk {
  const { content, role } = chunk;
  if (role === "tool") {
    const answer = content.findLast((part) => part.toolResponse !== undefined)?.toolResponse;
    if (answer !== undefined) {
      const { name, ref, output } = answer;
      return { type: "tool.completed", data: { name, ref, output, chunk }, early: false };
    }
  }
  const reasoning = content.length > 0 && content.every((part) => part.reasoning !== undefined);
  return { type: reasoning ? "reasoning.delta" : "assistant.delta", data: { chunk }, early: true };
}

/** A stored event as it reads: its number and turn are the store's word, because a closing event does not know them. */
export function readEvent(turnId: string, { seq, json }: StoredEvent): TurnEvent {
  return { ...(JSON.parse(json) as TurnEvent), turnId, seq };
}

/** The chunk that a connected client saw for this event; undefined for an event that was none, and for private ones. */
export function chunkOfEvent(event: TurnEvent): AgentChunk | undefined {
  if (event.visibility === "private") return undefined;
  if (event.type === OTHER_FIELDS) return event.data as AgentChunk;
  const data = (event.data ?? {}) as Record<string, unknown>;
  const field = FIELD_OF[event.type as KnownEventType];
  if (field === undefined) return undefined;
  const value = data[field.from];
  return value === undefined ? undefined : ({ [field.to]: value } as AgentChunk);
}

interface ChunkField {
  readonly from: string;
  readonly to: (typeof KNOWN)[number];
}

const MODEL_CHUNK: ChunkField = { from: "chunk", to: "modelChunk" };
const TURN_END: ChunkField = { from: "turnEnd", to: "turnEnd" };

/** Where an event keeps the chunk that it was. */
const FIELD_OF = {
  "turn.started": undefined,
  "turn.completed": TURN_END,
  "turn.failed": TURN_END,
  "turn.canceled": TURN_END,
  "turn.restarted": undefined,
  "assistant.delta": MODEL_CHUNK,
  "assistant.completed": undefined,
  "reasoning.delta": MODEL_CHUNK,
  "tool.started": undefined,
  "tool.progress": MODEL_CHUNK,
  "tool.completed": MODEL_CHUNK,
  "tool.failed": MODEL_CHUNK,
  "interaction.requested": undefined,
  "interaction.resolved": MODEL_CHUNK,
  "interaction.canceled": MODEL_CHUNK,
  "state.patched": { from: "patch", to: "customPatch" },
  "artifact.added": { from: "artifact", to: "artifact" },
  "status.updated": { from: "status", to: "status" },
} as const satisfies Record<KnownEventType, ChunkField | undefined>;
