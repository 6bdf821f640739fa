import type * as z from "zod";
import {
  AgentChunkSchema,
  AgentFrameSchema,
  FollowFrameSchema,
  ModelChunkSchema,
  RestartedFrameSchema,
  TurnEndSchema,
} from "./agent-chunk.ts";
import { AgentInitSchema, AgentInputSchema, ResumeSchema } from "./agent-input.ts";
import { AgentDescriptionSchema, AgentMetadataSchema } from "./agent-metadata.ts";
import { AgentOutputSchema, AgentResultSchema } from "./agent-output.ts";
import { ArtifactSchema } from "./artifact.ts";
import { FinishReasonSchema } from "./finish-reason.ts";
import {
  AgentNameSchema,
  CursorSchema,
  InteractionIdSchema,
  SessionIdSchema,
  SnapshotIdSchema,
  TimestampSchema,
} from "./id.ts";
import { JsonPatchOperationSchema, JsonPatchSchema } from "./json-patch.ts";
import { MessageSchema, RoleSchema, UserMessageSchema } from "./message.ts";
import { MetadataSchema } from "./open-object.ts";
import {
  GivenPartSchema,
  MediaSchema,
  PartSchema,
  ToolRequestPartSchema,
  ToolRequestSchema,
  ToolResponsePartSchema,
  ToolResponseSchema,
} from "./part.ts";
import { PositionSchema } from "./position.ts";
import { CapabilitiesSchema } from "./resource/capabilities.ts";
import { DisplaySchema } from "./resource/display.ts";
import { InteractionSchema, ResolveInteractionRequestSchema } from "./resource/interaction.ts";
import { CreateSessionRequestSchema, SessionSchema, UpdateSessionRequestSchema } from "./resource/session.ts";
import { CreateTurnRequestSchema, TurnSchema, TurnStatusSchema } from "./resource/turn.ts";
import { TurnEventPageSchema, TurnEventSchema } from "./resource/turn-event.ts";
import {
  FlowFrameSchema,
  ListAgentsResponseSchema,
  RunAgentRequestSchema,
  RunAgentResponseSchema,
  RunFlowRequestSchema,
  RunFlowResponseSchema,
} from "./route/agent-route.ts";
import { ConnectRequestFrameSchema, ConnectResponseFrameSchema } from "./route/connect-frame.ts";
import {
  InteractionPageSchema,
  ResolveInteractionResponseSchema,
  ResourceErrorSchema,
  SessionPageSchema,
  TurnPageSchema,
} from "./route/resource-route.ts";
import { InitialStateSchema, SessionStateSchema } from "./session-state.ts";
import {
  AbortRequestSchema,
  AbortResultSchema,
  GetSnapshotRequestSchema,
  ListSnapshotsRequestSchema,
  SnapshotPageSchema,
  SnapshotSchema,
  SnapshotStatusSchema,
  SnapshotSummarySchema,
  WaitForSnapshotRequestSchema,
} from "./snapshot.ts";
import { UsageSchema } from "./usage.ts";
import { StatusSchema, WireErrorSchema } from "./wire-error.ts";

/** Every contract by its name: what JSON Schema and OpenAPI are made from. */
export const WIRE_SCHEMAS = {
  AbortRequest: AbortRequestSchema,
  AbortResult: AbortResultSchema,
  AgentChunk: AgentChunkSchema,
  AgentDescription: AgentDescriptionSchema,
  AgentFrame: AgentFrameSchema,
  AgentInit: AgentInitSchema,
  AgentInput: AgentInputSchema,
  AgentMetadata: AgentMetadataSchema,
  AgentName: AgentNameSchema,
  AgentOutput: AgentOutputSchema,
  AgentResult: AgentResultSchema,
  Artifact: ArtifactSchema,
  Capabilities: CapabilitiesSchema,
  ConnectRequestFrame: ConnectRequestFrameSchema,
  ConnectResponseFrame: ConnectResponseFrameSchema,
  CreateSessionRequest: CreateSessionRequestSchema,
  CreateTurnRequest: CreateTurnRequestSchema,
  Cursor: CursorSchema,
  Display: DisplaySchema,
  FinishReason: FinishReasonSchema,
  FlowFrame: FlowFrameSchema,
  FollowFrame: FollowFrameSchema,
  GetSnapshotRequest: GetSnapshotRequestSchema,
  GivenPart: GivenPartSchema,
  InitialState: InitialStateSchema,
  Interaction: InteractionSchema,
  InteractionId: InteractionIdSchema,
  InteractionPage: InteractionPageSchema,
  JsonPatch: JsonPatchSchema,
  JsonPatchOperation: JsonPatchOperationSchema,
  ListAgentsResponse: ListAgentsResponseSchema,
  ListSnapshotsRequest: ListSnapshotsRequestSchema,
  Media: MediaSchema,
  Message: MessageSchema,
  Metadata: MetadataSchema,
  ModelChunk: ModelChunkSchema,
  Part: PartSchema,
  Position: PositionSchema,
  ResolveInteractionRequest: ResolveInteractionRequestSchema,
  ResolveInteractionResponse: ResolveInteractionResponseSchema,
  ResourceError: ResourceErrorSchema,
  RestartedFrame: RestartedFrameSchema,
  Resume: ResumeSchema,
  Role: RoleSchema,
  RunAgentRequest: RunAgentRequestSchema,
  RunAgentResponse: RunAgentResponseSchema,
  RunFlowRequest: RunFlowRequestSchema,
  RunFlowResponse: RunFlowResponseSchema,
  Session: SessionSchema,
  SessionId: SessionIdSchema,
  SessionPage: SessionPageSchema,
  SessionState: SessionStateSchema,
  Snapshot: SnapshotSchema,
  SnapshotId: SnapshotIdSchema,
  SnapshotPage: SnapshotPageSchema,
  SnapshotStatus: SnapshotStatusSchema,
  SnapshotSummary: SnapshotSummarySchema,
  Status: StatusSchema,
  Timestamp: TimestampSchema,
  ToolRequest: ToolRequestSchema,
  ToolRequestPart: ToolRequestPartSchema,
  ToolResponse: ToolResponseSchema,
  ToolResponsePart: ToolResponsePartSchema,
  Turn: TurnSchema,
  TurnEnd: TurnEndSchema,
  TurnEvent: TurnEventSchema,
  TurnEventPage: TurnEventPageSchema,
  TurnPage: TurnPageSchema,
  TurnStatus: TurnStatusSchema,
  UpdateSessionRequest: UpdateSessionRequestSchema,
  Usage: UsageSchema,
  UserMessage: UserMessageSchema,
  WaitForSnapshotRequest: WaitForSnapshotRequestSchema,
  WireError: WireErrorSchema,
} as const satisfies Record<string, z.ZodType>;

export type WireSchemaName = keyof typeof WIRE_SCHEMAS;
