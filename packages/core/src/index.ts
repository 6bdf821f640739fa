export type { Agent } from "./agent/agent.ts";
export type {
  AgentDefinition,
  AgentOptions,
  DefineAgent,
  PlainAgentOptions,
  SchemaAgentOptions,
} from "./agent/agent-options.ts";
export { type Agents, type AgentsOptions, createAgents, customAgent } from "./agent/create-agents.ts";
export type { ActionJsonSchemas } from "./bidi/action-json-schemas.ts";
export type { ActionSchemas, BidiAction, BidiCallArguments, BidiCallOptions } from "./bidi/bidi-action.ts";
export type { BidiConnection, BidiStream } from "./bidi/bidi-connection.ts";
export {
  type ActionDescription,
  type ActionKind,
  createRegistry,
  type Registry,
  type RegistryEntry,
} from "./bidi/create-registry.ts";
export {
  type BidiActionOptions,
  type BidiCall,
  type BidiHandler,
  defineBidiAction,
} from "./bidi/define-bidi-action.ts";
export { defineFlow, type FlowOptions } from "./bidi/define-flow.ts";
export { systemClock } from "./clock/system-clock.ts";
export { systemIds } from "./clock/system-ids.ts";
export type { AgentCall, AgentFunction } from "./invocation/agent-spec.ts";
export type { ClientTransform } from "./invocation/client-transform.ts";
export type { MediaOffload, MediaPlace } from "./invocation/offload-media.ts";
export type { SnapshotDecision, SnapshotEvent, SnapshotPolicy } from "./invocation/snapshot-policy.ts";
export type { TurnLimits } from "./invocation/turn-limits.ts";
export type { AgentSession, AgentTurn, ReadonlyCustom, TurnCallback, TurnReport } from "./session/agent-session.ts";
export { currentSession, currentTurn } from "./session/session-context.ts";
export type { CustomRecipe } from "./state/change-custom.ts";
export type { StateValue } from "./state/state-value.ts";
export { createOtelTelemetry, type OtelTelemetryOptions } from "./telemetry/create-otel-telemetry.ts";
export { NO_TELEMETRY } from "./telemetry/no-telemetry.ts";
export { type CopySessionOptions, copySession } from "./transfer/copy-session.ts";
export { type ExportSessionOptions, exportSession } from "./transfer/export-session.ts";
export { type ImportReport, type ImportSessionOptions, importSession } from "./transfer/import-session.ts";
export { type PruneSessionsOptions, type PruneSessionsReport, pruneSessions } from "./transfer/prune-sessions.ts";
export type { Concurrency } from "./turn/turn-desk.ts";
