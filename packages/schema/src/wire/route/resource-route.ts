import * as z from "zod";
import { AgentNameSchema, CursorSchema, open, PositionSchema, StatusSchema } from "../../agent/index.ts";
import type { ResourceError } from "../../error/index.ts";
import { RESOURCE_PATHS } from "../../route/index.ts";
import { CapabilitiesSchema } from "../resource/capabilities.ts";
import { InteractionSchema, ResolveInteractionRequestSchema } from "../resource/interaction.ts";
import {
  CreateSessionRequestSchema,
  SessionLifecycleSchema,
  SessionSchema,
  UpdateSessionRequestSchema,
} from "../resource/session.ts";
import { CreateTurnRequestSchema, TurnSchema } from "../resource/turn.ts";
import { TurnEventPageSchema, TurnEventSchema } from "../resource/turn-event.ts";
import type { Route } from "./route.ts";

/** The body of every error of a resource route. */
export const ResourceErrorSchema = open({
  error: z.string(),
  code: StatusSchema,
  details: z.unknown().optional(),
}) satisfies z.ZodType<ResourceError>;

export const PageQuerySchema = open({
  cursor: CursorSchema.optional(),
  /** @default 100 */
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});
export type PageQuery = z.infer<typeof PageQuerySchema>;

export const ListSessionsQuerySchema = open({
  ...PageQuerySchema.shape,
  agent: AgentNameSchema.optional(),
  state: SessionLifecycleSchema.optional(),
});
export type ListSessionsQuery = z.infer<typeof ListSessionsQuerySchema>;

export const TurnEventsQuerySchema = open({ after: PositionSchema.optional(), limit: PageQuerySchema.shape.limit });
export type TurnEventsQuery = z.infer<typeof TurnEventsQuerySchema>;

export const TurnEventStreamQuerySchema = open({
  /** Position of the last event received; the header `Last-Event-ID` does the same. */
  after: PositionSchema.optional(),
  /** Where the stream ends: only with the turn, or also where it waits for a person. @default "terminal" */
  until: z.enum(["terminal", "blocked_or_terminal"]).optional(),
});
export type TurnEventStreamQuery = z.infer<typeof TurnEventStreamQuerySchema>;

export const SessionPageSchema = page(SessionSchema);
export type SessionPage = z.infer<typeof SessionPageSchema>;
export const TurnPageSchema = page(TurnSchema);
export type TurnPage = z.infer<typeof TurnPageSchema>;
/** A turn asks few people: all of its interactions in one answer. */
export const InteractionPageSchema = open({ items: z.array(InteractionSchema) });
export type InteractionPage = z.infer<typeof InteractionPageSchema>;

/** Answer to a resolved interaction: the interaction, and the turn that goes on once all of its message are resolved. */
export const ResolveInteractionResponseSchema = open({ interaction: InteractionSchema, turn: TurnSchema.optional() });
export type ResolveInteractionResponse = z.infer<typeof ResolveInteractionResponseSchema>;

/** Paths are relative to the server's prefix, `/api/v1` by default. */
export const RESOURCE_ROUTES = {
  createSession: {
    method: "POST",
    path: RESOURCE_PATHS.sessions,
    summary: "Creates a session.",
    body: CreateSessionRequestSchema,
    response: SessionSchema,
    status: 201,
  },
  listSessions: {
    method: "GET",
    path: RESOURCE_PATHS.sessions,
    summary: "The caller's sessions, newest first.",
    query: ListSessionsQuerySchema,
    response: SessionPageSchema,
  },
  getSession: { method: "GET", path: RESOURCE_PATHS.session, summary: "One session.", response: SessionSchema },
  updateSession: {
    method: "PATCH",
    path: RESOURCE_PATHS.session,
    summary: "Changes metadata, archives or reopens.",
    body: UpdateSessionRequestSchema,
    response: SessionSchema,
  },
  deleteSession: {
    method: "DELETE",
    path: RESOURCE_PATHS.session,
    summary: "Deletes a session and all that belongs to it.",
    status: 204,
  },
  createTurn: {
    method: "POST",
    path: RESOURCE_PATHS.sessionTurns,
    summary: "Starts a turn and returns at once.",
    body: CreateTurnRequestSchema,
    response: TurnSchema,
    status: 202,
  },
  listTurns: {
    method: "GET",
    path: RESOURCE_PATHS.sessionTurns,
    summary: "The turns of a session, newest first.",
    query: PageQuerySchema,
    response: TurnPageSchema,
  },
  getTurn: { method: "GET", path: RESOURCE_PATHS.turn, summary: "One turn.", response: TurnSchema },
  cancelTurn: { method: "POST", path: RESOURCE_PATHS.cancelTurn, summary: "Stops a live turn.", response: TurnSchema },
  listTurnEvents: {
    method: "GET",
    path: RESOURCE_PATHS.turnEvents,
    summary: "Stored events after a position.",
    query: TurnEventsQuerySchema,
    response: TurnEventPageSchema,
  },
  streamTurnEvents: {
    method: "GET",
    path: RESOURCE_PATHS.turnEventStream,
    summary: "Events after a position, then live.",
    query: TurnEventStreamQuerySchema,
    response: TurnEventSchema,
    frame: TurnEventSchema,
  },
  listInteractions: {
    method: "GET",
    path: RESOURCE_PATHS.interactions,
    summary: "What a turn asked people.",
    response: InteractionPageSchema,
  },
  getInteraction: {
    method: "GET",
    path: RESOURCE_PATHS.interaction,
    summary: "One interaction.",
    response: InteractionSchema,
  },
  resolveInteraction: {
    method: "POST",
    path: RESOURCE_PATHS.resolveInteraction,
    summary: "Answers an interaction.",
    body: ResolveInteractionRequestSchema,
    response: ResolveInteractionResponseSchema,
  },
  getCapabilities: {
    method: "GET",
    path: RESOURCE_PATHS.capabilities,
    summary: "What this server can do.",
    response: CapabilitiesSchema,
  },
} as const satisfies Record<string, Route>;

function page<Item extends z.ZodType>(item: Item) {
  return open({ items: z.array(item), cursor: CursorSchema.optional() });
}
