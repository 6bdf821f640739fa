import * as z from "zod";
import { CursorSchema } from "../id.ts";
import { open } from "../open-object.ts";
import { PositionSchema } from "../position.ts";
import { CapabilitiesSchema } from "../resource/capabilities.ts";
import { InteractionSchema, ResolveInteractionRequestSchema } from "../resource/interaction.ts";
import { CreateSessionRequestSchema, SessionSchema, UpdateSessionRequestSchema } from "../resource/session.ts";
import { CreateTurnRequestSchema, TurnSchema } from "../resource/turn.ts";
import { TurnEventPageSchema, TurnEventSchema } from "../resource/turn-event.ts";
import { StatusSchema } from "../wire-error.ts";
import type { Route } from "./route.ts";

/** The body of every error of a resource route. */
export const ResourceErrorSchema = open({ error: z.string(), code: StatusSchema, details: z.unknown().optional() });
export type ResourceError = z.infer<typeof ResourceErrorSchema>;

export const PageQuerySchema = open({
  cursor: CursorSchema.optional(),
  /** @default 100 */
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});
export type PageQuery = z.infer<typeof PageQuerySchema>;

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
export const InteractionPageSchema = page(InteractionSchema);
export type InteractionPage = z.infer<typeof InteractionPageSchema>;

/** Answer to a resolved interaction: the interaction, and the turn that goes on once all of its message are resolved. */
export const ResolveInteractionResponseSchema = open({ interaction: InteractionSchema, turn: TurnSchema.optional() });
export type ResolveInteractionResponse = z.infer<typeof ResolveInteractionResponseSchema>;

/** Paths are relative to the server's prefix, `/api/v1` by default. */
export const RESOURCE_ROUTES = {
  createSession: {
    method: "POST",
    path: "/agent/sessions",
    summary: "Creates a session.",
    body: CreateSessionRequestSchema,
    response: SessionSchema,
    status: 201,
  },
  listSessions: {
    method: "GET",
    path: "/agent/sessions",
    summary: "The caller's sessions, newest first.",
    query: PageQuerySchema,
    response: SessionPageSchema,
  },
  getSession: { method: "GET", path: "/agent/sessions/{id}", summary: "One session.", response: SessionSchema },
  updateSession: {
    method: "PATCH",
    path: "/agent/sessions/{id}",
    summary: "Changes metadata, archives or reopens.",
    body: UpdateSessionRequestSchema,
    response: SessionSchema,
  },
  deleteSession: {
    method: "DELETE",
    path: "/agent/sessions/{id}",
    summary: "Deletes a session and all that belongs to it.",
    status: 204,
  },
  createTurn: {
    method: "POST",
    path: "/agent/sessions/{id}/turns",
    summary: "Starts a turn and returns at once.",
    body: CreateTurnRequestSchema,
    response: TurnSchema,
    status: 202,
  },
  listTurns: {
    method: "GET",
    path: "/agent/sessions/{id}/turns",
    summary: "The turns of a session, newest first.",
    query: PageQuerySchema,
    response: TurnPageSchema,
  },
  getTurn: { method: "GET", path: "/agent/turns/{id}", summary: "One turn.", response: TurnSchema },
  cancelTurn: { method: "POST", path: "/agent/turns/{id}/cancel", summary: "Stops a live turn.", response: TurnSchema },
  listTurnEvents: {
    method: "GET",
    path: "/agent/turns/{id}/events",
    summary: "Stored events after a position.",
    query: TurnEventsQuerySchema,
    response: TurnEventPageSchema,
  },
  streamTurnEvents: {
    method: "GET",
    path: "/agent/turns/{id}/events/stream",
    summary: "Events after a position, then live.",
    query: TurnEventStreamQuerySchema,
    response: TurnEventSchema,
    frame: TurnEventSchema,
  },
  listInteractions: {
    method: "GET",
    path: "/agent/turns/{id}/interactions",
    summary: "What a turn asked people.",
    response: InteractionPageSchema,
  },
  getInteraction: {
    method: "GET",
    path: "/agent/turns/{id}/interactions/{iid}",
    summary: "One interaction.",
    response: InteractionSchema,
  },
  resolveInteraction: {
    method: "POST",
    path: "/agent/turns/{id}/interactions/{iid}/resolve",
    summary: "Answers an interaction.",
    body: ResolveInteractionRequestSchema,
    response: ResolveInteractionResponseSchema,
  },
  getCapabilities: {
    method: "GET",
    path: "/agent/capabilities",
    summary: "What this server can do.",
    response: CapabilitiesSchema,
  },
} as const satisfies Record<string, Route>;

function page<Item extends z.ZodType>(item: Item) {
  return open({ items: z.array(item), cursor: CursorSchema.optional() });
}
