export type {
  AgentApi,
  AgentChat,
  AgentConnection,
  AgentContext,
  AgentStream,
  CallOptions,
  PositionedChunk,
  Restarted,
  TurnOptions,
} from "./agent-api.ts";
export type { Clock, IdSource } from "./clock.ts";
export type { Model, ModelCall, ModelRequest, ModelResponse, ModelTool } from "./model.ts";
export type { Caller } from "./store/caller.ts";
export type { AppendRequest, EventLog, StoredEvent } from "./store/event-log.ts";
export type { Hints } from "./store/hints.ts";
export type { CreateSession, Page, PageOf, PruneRule, SessionIndex } from "./store/session-index.ts";
export type { SessionMeta } from "./store/session-meta.ts";
export type { SessionRecord, StateText, TurnRecord } from "./store/session-record.ts";
export type { Store, StoreHealth } from "./store/store.ts";
export type {
  ClosingOutcome,
  EventBatch,
  Fenced,
  Lease,
  Outcome,
  StateChain,
  StateContent,
  StateFigures,
  StateRow,
  StoreTime,
  TurnMeta,
} from "./store/turn-record.ts";
export type {
  BeginFrom,
  BeginRequest,
  BeginResult,
  CallerLease,
  ClaimRequest,
  ClaimResult,
  ReadAt,
  SettleRequest,
  TurnStore,
} from "./store/turn-store.ts";
export type { Attributes, Span, Telemetry } from "./telemetry.ts";
export type { Tool, ToolAnswer, ToolCall, ToolSource } from "./tool.ts";
export type { TurnService } from "./turn-service.ts";
