import { AgentError } from "@agents/schema/error";
import type { AgentContext, Clock } from "@agents/schema/port";
import { systemClock } from "../clock/system-clock.ts";
import type { Backoff } from "./backoff.ts";
import type { WebSocketConstructor } from "./web-socket.ts";

export type RequestHeaders = Readonly<Record<string, string>>;

/** What kind of request the headers are for. */
export interface HeadersRequest {
  /** The `context` that the caller gave to the call. It does not travel by itself: the server makes its own. */
  readonly context: AgentContext | undefined;
}

/** How long to wait, and how often to try. All times in milliseconds. */
export interface Patience {
  /** Attempts in a row without success before an operation ends with UNAVAILABLE. At least 1. @default 10 */
  readonly maxAttempts?: number;
  /** The wait before the second attempt; each further one is twice as long. @default 250 */
  readonly baseMs?: number;
  /** The longest wait between two attempts. @default 10_000 */
  readonly maxMs?: number;
  /** Silence on a stream that can be re-joined, heartbeats included, after which it is. @default 60_000 */
  readonly idleMs?: number;
  /** Silence of a turn that cannot be re-joined (client-managed, or nothing streamed yet) before it is given up. @default 300_000 */
  readonly silentTurnMs?: number;
  /** How long one call (getSnapshot, abort, …) may take. @default 30_000 */
  readonly callMs?: number;
  /** How long the server may take to say how an aborted turn ended; then the caller's reason is the answer. @default 5_000 */
  readonly abortMs?: number;
  /** How long one request of `waitForSnapshot` waits before the next one follows it. @default 25_000 */
  readonly longPollMs?: number;
}

export interface ServerOptions {
  /** Where the agent routes are: `https://example.com/api`. In a page also a path, or "" for the page's own server. */
  readonly url: string;
  /** Sent with every request. A function is called for each attempt, so that a token can be renewed. */
  readonly headers?: RequestHeaders | ((request: HeadersRequest) => RequestHeaders | Promise<RequestHeaders>);
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
  /** For `connect`. Node 20 has none: pass the one of `ws`. @default the global `WebSocket` */
  readonly WebSocket?: WebSocketConstructor;
  readonly patience?: Patience;
  /** @default the machine's */
  readonly clock?: Clock;
  /** Jitter: numbers from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

export interface Settings {
  readonly url: string;
  /**
   * Throws INVALID_ARGUMENT where no request can be sent to the URL. Not at once: a page's modules also load on a server
   * that renders it.
   */
  readonly checkUrl: () => void;
  readonly headers: (request: HeadersRequest) => RequestHeaders | Promise<RequestHeaders>;
  readonly fetch: typeof globalThis.fetch;
  readonly WebSocket: WebSocketConstructor | undefined;
  readonly patience: Required<Patience>;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly random: () => number;
}

const DEFAULT_PATIENCE: Required<Patience> = {
  maxAttempts: 10,
  baseMs: 250,
  maxMs: 10_000,
  idleMs: 60_000,
  silentTurnMs: 300_000,
  callMs: 30_000,
  abortMs: 5_000,
  longPollMs: 25_000,
};

export function resolveSettings(options: ServerOptions): Settings {
  const { url, headers = {}, fetch, WebSocket, clock = systemClock, random = Math.random } = options;
  const patience = { ...DEFAULT_PATIENCE, ...options.patience };
  return {
    url: url.replace(/\/+$/, ""),
    checkUrl: fetch === undefined ? () => checkUrl(url) : () => {},
    headers: typeof headers === "function" ? headers : () => headers,
    // Looked up when it is called: tests and polyfills replace it, and a browser's fetch insists on its own `this`.
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
    WebSocket: WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket,
    patience,
    backoff: patience,
    clock,
    random,
  };
}

function checkUrl(url: string): void {
  const { location } = globalThis as { location?: { href: string } };
  try {
    new URL(url, location?.href);
  } catch (cause) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      `${JSON.stringify(url)} is not the URL of a server: outside a page it is absolute, such as "http://127.0.0.1:3000".`,
      { cause },
    );
  }
}
