export type { Agent } from "./agent/agent.ts";
export type { AgentLookUp, BoundAgent } from "./agent/agent-look-up.ts";
export type {
  AgentDefinition,
  AgentOptions,
  DefineAgent,
  DefineConversation,
  PlainAgentOptions,
  SchemaAgentOptions,
} from "./agent/agent-options.ts";
export { type Agents, type AgentsOptions, createAgents, customAgent } from "./agent/create-agents.ts";
export { promptAgent, wordedAgent } from "./agent/prompt-agent.ts";
export type { Registrations } from "./agent/registrations.ts";
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
export type { RetryOptions } from "./clock/backoff.ts";
export { systemClock } from "./clock/system-clock.ts";
export { systemIds } from "./clock/system-ids.ts";
export type { AgentToolOptions } from "./delegation/agent-tool.ts";
export { subAgents } from "./delegation/sub-agents.ts";
export { generate } from "./generate/generate.ts";
export type { GenerateOptions, ModelOptions } from "./generate/generate-options.ts";
export type { GenerateResponse } from "./generate/generate-response.ts";
export { type GenerateStream, generateStream } from "./generate/generate-stream.ts";
export { type ResumeAction, type ResumePlan, validateResume } from "./generate/validate-resume.ts";
export type { HistoryPolicy } from "./history/history-policy.ts";
export { keepLastTurns } from "./history/keep-last-turns.ts";
export { keepWithinTokens, type TokenBudget } from "./history/keep-within-tokens.ts";
export { type SummaryOptions, summarizeHistory } from "./history/summarize-history.ts";
export type { AgentCall, AgentFunction } from "./invocation/agent-spec.ts";
export type { ClientTransform } from "./invocation/client-transform.ts";
export type { MediaOffload, MediaPlace } from "./invocation/offload-media.ts";
export type { SnapshotDecision, SnapshotEvent, SnapshotPolicy } from "./invocation/snapshot-policy.ts";
export type { TurnLimits } from "./invocation/turn-limits.ts";
export { type FallbackOptions, fallbackModel } from "./model/fallback-model.ts";
export { type ModelMiddleware, type NextModel, withMiddleware } from "./model/model-middleware.ts";
export { type ModelPrice, priceModel } from "./model/price-model.ts";
export { retryModel } from "./model/retry-model.ts";
export { definePrompt, type PromptOptions, type PromptWords } from "./prompt/define-prompt.ts";
export { type DotpromptOptions, dotpromptPrompt } from "./prompt/dotprompt-prompt.ts";
export { HISTORY, type Prompt, type PromptMoment, type RenderedPrompt } from "./prompt/prompt.ts";
export type { AgentSession, AgentTurn, ReadonlyCustom, TurnCallback, TurnReport } from "./session/agent-session.ts";
export { currentSession, currentTurn } from "./session/session-context.ts";
export type { CustomRecipe } from "./state/change-custom.ts";
export type { StateValue } from "./state/state-value.ts";
export { createOtelTelemetry, type OtelTelemetryOptions } from "./telemetry/create-otel-telemetry.ts";
export { NO_TELEMETRY } from "./telemetry/no-telemetry.ts";
export {
  type DefinedTool,
  defineTool,
  type ToolContext,
  type ToolFunction,
  type ToolOptions,
} from "./tool/define-tool.ts";
export { ToolCorrection } from "./tool/tool-correction.ts";
export { interrupt } from "./tool/tool-interrupt.ts";
export { type CopySessionOptions, copySession } from "./transfer/copy-session.ts";
export { type ExportSessionOptions, exportSession } from "./transfer/export-session.ts";
export { type ImportReport, type ImportSessionOptions, importSession } from "./transfer/import-session.ts";
export { type PruneSessionsOptions, type PruneSessionsReport, pruneSessions } from "./transfer/prune-sessions.ts";
export type { Concurrency } from "./turn/turn-desk.ts";
