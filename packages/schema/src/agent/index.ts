export {
  type AgentChunk,
  AgentChunkSchema,
  agentChunkSchema,
  type ModelChunk,
  ModelChunkSchema,
  type TurnEnd,
  TurnEndSchema,
} from "./agent-chunk.ts";
export {
  type AgentInit,
  AgentInitSchema,
  type AgentInput,
  AgentInputSchema,
  agentInitSchema,
  type Resume,
  ResumeSchema,
} from "./agent-input.ts";
export {
  type AgentDescription,
  AgentDescriptionSchema,
  type AgentMetadata,
  AgentMetadataSchema,
} from "./agent-metadata.ts";
export {
  type AgentOutput,
  AgentOutputSchema,
  type AgentResult,
  AgentResultSchema,
  agentOutputSchema,
} from "./agent-output.ts";
export { type Artifact, ArtifactSchema } from "./artifact.ts";
export { type FinishReason, FinishReasonSchema } from "./finish-reason.ts";
export {
  AgentNameSchema,
  CursorSchema,
  IdempotencyKeySchema,
  InteractionIdSchema,
  MAX_ID_LENGTH,
  SessionIdSchema,
  SnapshotIdSchema,
  TimestampSchema,
} from "./id.ts";
export { type JsonPatch, type JsonPatchOperation, JsonPatchOperationSchema, JsonPatchSchema } from "./json-patch.ts";
export { type Message, MessageSchema, type Role, RoleSchema, type UserMessage, UserMessageSchema } from "./message.ts";
export { type Metadata, MetadataSchema, open } from "./open-object.ts";
export { type ParseWireOptions, parseWire, parseWireAsync, type WireIssue } from "./parse-wire.ts";
export {
  type CustomPart,
  type DataPart,
  GivenPartSchema,
  type Media,
  type MediaPart,
  MediaSchema,
  type Part,
  type PartKind,
  type PartOf,
  PartSchema,
  type ReasoningPart,
  type TextPart,
  TextPartSchema,
  type ToolRequest,
  type ToolRequestPart,
  ToolRequestPartSchema,
  ToolRequestSchema,
  type ToolResponse,
  type ToolResponsePart,
  ToolResponsePartSchema,
  ToolResponseSchema,
} from "./part.ts";
export { PositionSchema } from "./position.ts";
export {
  type InitialState,
  InitialStateSchema,
  initialStateSchema,
  type SessionState,
  SessionStateSchema,
  sessionStateSchema,
} from "./session-state.ts";
export {
  type AbortRequest,
  AbortRequestSchema,
  type AbortResult,
  AbortResultSchema,
  type GetSnapshotRequest,
  GetSnapshotRequestSchema,
  type ListSnapshotsRequest,
  ListSnapshotsRequestSchema,
  type Snapshot,
  type SnapshotPage,
  SnapshotPageSchema,
  SnapshotSchema,
  type SnapshotStatus,
  SnapshotStatusSchema,
  type SnapshotSummary,
  SnapshotSummarySchema,
  type StoredStatus,
  StoredStatusSchema,
  snapshotSchema,
  type WaitForSnapshotRequest,
  WaitForSnapshotRequestSchema,
} from "./snapshot.ts";
export { type Usage, UsageSchema } from "./usage.ts";
export { StatusSchema, WireErrorSchema } from "./wire-error.ts";
