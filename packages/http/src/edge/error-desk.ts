import { AgentError, toWireError, type WireError } from "@agents/schema/error";
import type { IdSource, Span } from "@agents/schema/port";
import { HEADERS } from "@agents/schema/route";
import { HttpError, httpStatusOf } from "./http-error.ts";
import { jsonReply, type Reply } from "./reply.ts";

export interface ErrorInfo {
  /** In the answer's header, in the details of a masked error, and on the span. */
  readonly correlationId: string;
  /** "POST /agents/{name}", or the path that no route has. */
  readonly route: string;
  /** What the client was told; of an error inside a stream, what it would have been told before. */
  readonly httpStatus: number;
  /** Whether the client saw nothing but INTERNAL. */
  readonly masked: boolean;
}

export type OnError = (error: unknown, info: ErrorInfo) => void;

/** Turns what was thrown into what may leave. */
export interface ErrorDesk {
  reply(error: unknown, at: ErrorPlace): Reply;
  /** The same for a stream that has begun. */
  wire(error: unknown, at: ErrorPlace): WireError;
}

export interface ErrorPlace {
  readonly route: string;
  readonly span?: Span | undefined;
}

export function createErrorDesk({ ids, onError }: { ids: IdSource; onError: OnError }): ErrorDesk {
  function receive(error: unknown, { route, span }: ErrorPlace): { wire: WireError; correlationId: string } {
    const correlationId = span?.traceId ?? ids.uuid();
    const masked = !AgentError.is(error);
    span?.setAttributes({ "agents.correlation_id": correlationId });
    const wire = toWireError(error);
    if (masked) wire.details = { correlationId };
    try {
      onError(error, { correlationId, route, httpStatus: httpStatusOf(error), masked });
    } catch {
      // A logger that fails must not change the answer.
    }
    return { wire, correlationId };
  }

  return {
    wire: (error, at) => receive(error, at).wire,
    reply(error, at) {
      const { wire, correlationId } = receive(error, at);
      const headers = { ...(error instanceof HttpError ? error.headers : {}), [HEADERS.correlationId]: correlationId };
      return jsonReply(wire, { status: httpStatusOf(error), headers });
    },
  };
}

/** Masked errors would be lost otherwise: the client has only their id. */
export const logMasked: OnError = (error, { masked, route, correlationId }) => {
  if (masked) console.error(`agents: ${route} failed (${correlationId})`, error);
};
