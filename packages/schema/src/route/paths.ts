/** Paths of the agent routes. Parameters stand in braces; `fillPath` puts values in their place. */
export const AGENT_PATHS = {
  listAgents: "/agents",
  runAgent: "/agents/{name}",
  getSnapshot: "/agents/{name}/getSnapshot",
  listSnapshots: "/agents/{name}/listSnapshots",
  abort: "/agents/{name}/abort",
  waitForSnapshot: "/agents/{name}/waitForSnapshot",
  followTurn: "/agents/{name}/turns/{turnId}/stream",
  /** WebSocket. */
  connect: "/agents/{name}/connect",
  runFlow: "/flows/{name}",
  openApi: "/openapi.json",
  /** Whether the process answers. Without authentication. */
  health: "/healthz",
  /** Whether the stores answer and new work is taken. Without authentication. */
  ready: "/readyz",
} as const;

/** Paths of the resource routes, below the server's prefix. */
export const RESOURCE_PATHS = {
  sessions: "/agent/sessions",
  session: "/agent/sessions/{id}",
  sessionTurns: "/agent/sessions/{id}/turns",
  turn: "/agent/turns/{id}",
  cancelTurn: "/agent/turns/{id}/cancel",
  turnEvents: "/agent/turns/{id}/events",
  turnEventStream: "/agent/turns/{id}/events/stream",
  interactions: "/agent/turns/{id}/interactions",
  interaction: "/agent/turns/{id}/interactions/{iid}",
  resolveInteraction: "/agent/turns/{id}/interactions/{iid}/resolve",
  capabilities: "/agent/capabilities",
} as const;

export const DEFAULT_RESOURCE_PREFIX = "/api/v1";

export const HEADERS = {
  /** The turn's id, sent before the first byte of a stream. */
  turnId: "x-agents-turn-id",
  idempotencyKey: "idempotency-key",
  lastEventId: "last-event-id",
  /** On every error: the id under which the server's logs and traces have it. */
  correlationId: "x-agents-correlation-id",
} as const;

/** A query parameter that asks for a stream where the Accept header cannot be set. */
export const STREAM_QUERY = "stream";

/** The names in braces of a path. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The path with its parameters, each encoded so that a value cannot add a segment or a query. */
export function fillPath<const Path extends string>(path: Path, values: Record<PathParameter<Path>, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((values as Record<string, string>)[name] ?? ""),
  );
}
