import type { AgentContext, Span } from "@agents/schema/port";

/** What an adapter knows of the other side beyond the Request. */
export interface Peer {
  /** Calls back once when the client has left before the answer was whole. What it returns takes the wish back. */
  onLeave(callback: () => void): () => void;
  /** Size of all header lines, where the adapter knows it. Undefined: they are counted. */
  readonly headerBytes?: number;
}

/** One request on its way through a route. */
export interface Exchange {
  readonly request: Request;
  /** For messages: "POST /agents/{name}". */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly context: AgentContext;
  readonly peer: Peer;
  readonly span?: Span | undefined;
}

/** A web-standard server says that the client left by the request's signal. */
export function peerOf(request: Request): Peer {
  return {
    onLeave(callback) {
      const { signal } = request;
      if (signal.aborted) queueMicrotask(callback);
      else signal.addEventListener("abort", callback, { once: true });
      return () => signal.removeEventListener("abort", callback);
    },
  };
}
