import type { Inbound } from "../edge/inbound.ts";
import type { Reply } from "../edge/reply.ts";
import type { Limits } from "../limit/limits.ts";
import type { DrainOptions } from "../presence/work.ts";
import type { AcceptSocket } from "../socket/socket.ts";

/** Serves agents. Call it with a Request; the members are for what embeds it. */
export interface Handler {
  (request: Request): Promise<Response>;
  /** The same answer as plain data, for servers that write it themselves. Never rejects. */
  reply(inbound: Inbound): Promise<Reply>;
  /**
   * The same for a request to upgrade to a WebSocket: what it resolves to either refuses the request, or takes the socket
   * once it is there. Never rejects.
   */
  upgrade(inbound: Inbound): Promise<Reply | AcceptSocket>;
  /**
   * Ends in order: refuses new work with 503, ends streams of those who only listen with UNAVAILABLE, lets turns finish or
   * leaves them to themselves, aborts what is left at the deadline. Resolves when nothing runs any more.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Whether callers are authenticated. */
  readonly authenticated: boolean;
  readonly limits: Required<Limits>;
  /** What is under way, for operators and tests. */
  readonly activity: Activity;
}

export interface Activity {
  /** Streams and WebSockets that are open. */
  readonly openStreams: number;
  /** Clients that wait for an answer. */
  readonly clients: number;
  /** Turns that go on although their client left. */
  readonly running: number;
  /** Turns that are followed, or wait for their client to come back. */
  readonly attended: number;
}
