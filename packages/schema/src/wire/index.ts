export {
  type AgentChunk,
  AgentChunkSchema,
  type AgentFrame,
  AgentFrameSchema,
  agentChunkSchema,
  type FollowFrame,
  FollowFrameSchema,
  type ModelChunk,
  ModelChunkSchema,
  type RestartedFrame,
  RestartedFrameSchema,
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
export { type JsonSchema, type WireJsonSchemasOptions, wireJsonSchemas } from "./json-schema.ts";
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
export { type Capabilities, CapabilitiesSchema } from "./resource/capabilities.ts";
export {
  type Display,
  type DisplayKind,
  DisplayKindSchema,
  type DisplayPhase,
  DisplayPhaseSchema,
  DisplaySchema,
} from "./resource/display.ts";
export { EVENT_DATA, type EventData, type KnownEventType } from "./resource/event-data.ts";
export {
  type Interaction,
  InteractionSchema,
  type InteractionState,
  InteractionStateSchema,
  type InteractionType,
  InteractionTypeSchema,
  type ResolveInteractionRequest,
  ResolveInteractionRequestSchema,
} from "./resource/interaction.ts";
export {
  type CreateSessionRequest,
  CreateSessionRequestSchema,
  type Session,
  type SessionLifecycle,
  SessionLifecycleSchema,
  SessionSchema,
  type UpdateSessionRequest,
  UpdateSessionRequestSchema,
} from "./resource/session.ts";
export {
  type CreateTurnRequest,
  CreateTurnRequestSchema,
  type Turn,
  TurnSchema,
  type TurnStatus,
  TurnStatusSchema,
  turnStatus,
} from "./resource/turn.ts";
export {
  type CustomEvent,
  type CustomEventType,
  EVENT_TYPES,
  type EventEnvelope,
  type TurnEvent,
  type TurnEventOf,
  type TurnEventPage,
  TurnEventPageSchema,
  TurnEventSchema,
  type TurnEventType,
  type Visibility,
  VisibilitySchema,
} from "./resource/turn-event.ts";
export {
  AGENT_ROUTES,
  FlowFrameSchema,
  FollowTurnQuerySchema,
  ListAgentsResponseSchema,
  type RunAgentRequest,
  RunAgentRequestSchema,
  RunAgentResponseSchema,
  type RunFlowRequest,
  RunFlowRequestSchema,
  RunFlowResponseSchema,
  StreamQuerySchema,
} from "./route/agent-route.ts";
export {
  type ConnectRequestFrame,
  ConnectRequestFrameSchema,
  type ConnectResponseFrame,
  ConnectResponseFrameSchema,
} from "./route/connect-frame.ts";
export {
  type InteractionPage,
  InteractionPageSchema,
  type ListSessionsQuery,
  ListSessionsQuerySchema,
  type PageQuery,
  PageQuerySchema,
  RESOURCE_ROUTES,
  type ResolveInteractionResponse,
  ResolveInteractionResponseSchema,
  ResourceErrorSchema,
  type SessionPage,
  SessionPageSchema,
  type TurnEventStreamQuery,
  TurnEventStreamQuerySchema,
  type TurnEventsQuery,
  TurnEventsQuerySchema,
  type TurnPage,
  TurnPageSchema,
} from "./route/resource-route.ts";
export type { Route } from "./route/route.ts";
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
export { WIRE_SCHEMAS, type WireSchemaName } from "./wire-schemas.ts";
