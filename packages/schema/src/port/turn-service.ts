import type {
  Capabilities,
  CreateSessionRequest,
  CreateTurnRequest,
  Interaction,
  InteractionPage,
  ListSessionsQuery,
  PageQuery,
  ResolveInteractionRequest,
  ResolveInteractionResponse,
  Session,
  SessionPage,
  Turn,
  TurnEvent,
  TurnEventPage,
  TurnEventStreamQuery,
  TurnEventsQuery,
  TurnPage,
  UpdateSessionRequest,
} from "../wire/index.ts";
import type { CallOptions } from "./agent-api.ts";

/**
 * The same rows as `AgentApi`, seen as resources. `createTurn` returns at once and the work goes on. What belongs to
 * another subject is NOT_FOUND, and lists leave it out.
 */
export interface TurnService {
  createSession(request: CreateSessionRequest, options?: CallOptions): Promise<Session>;
  getSession(sessionId: string, options?: CallOptions): Promise<Session>;
  listSessions(query: ListSessionsQuery, options?: CallOptions): Promise<SessionPage>;
  updateSession(sessionId: string, change: UpdateSessionRequest, options?: CallOptions): Promise<Session>;
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  /** Same idempotency key and body: the first turn again. Same key, another body: ALREADY_EXISTS. */
  createTurn(sessionId: string, request: CreateTurnRequest, options?: CallOptions): Promise<Turn>;
  getTurn(turnId: string, options?: CallOptions): Promise<Turn>;
  listTurns(sessionId: string, page: PageQuery, options?: CallOptions): Promise<TurnPage>;
  cancelTurn(turnId: string, options?: CallOptions): Promise<Turn>;
  listTurnEvents(turnId: string, query: TurnEventsQuery, options?: CallOptions): Promise<TurnEventPage>;
  streamTurnEvents(turnId: string, query: TurnEventStreamQuery, options?: CallOptions): AsyncIterable<TurnEvent>;
  getInteraction(turnId: string, interactionId: string, options?: CallOptions): Promise<Interaction>;
  listInteractions(turnId: string, options?: CallOptions): Promise<InteractionPage>;
  /** FAILED_PRECONDITION when it is resolved or canceled already. */
  resolveInteraction(
    turnId: string,
    interactionId: string,
    request: ResolveInteractionRequest,
    options?: CallOptions,
  ): Promise<ResolveInteractionResponse>;
  getCapabilities(options?: CallOptions): Promise<Capabilities>;
}
