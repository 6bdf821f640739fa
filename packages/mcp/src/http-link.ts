import { setTimeout as wait } from "node:timers/promises";
import { AgentError } from "@agents/schema/error";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import type { Link, LinkEvents } from "./link.ts";
import { labelOf, type McpHttpServer } from "./server.ts";
import { watchBody } from "./watch-body.ts";

/** The `data` of an answer that the link made because the stream broke off; told by identity, so no server can send it. */
export const BROKEN_OFF = { brokenOff: true } as const;

interface Pending {
  /** The stream has event ids: the SDK asks for the rest of it. */
  resumable: boolean;
}

/**
 * A link over streamable HTTP. The SDK's transport says nothing to a request whose stream ends before its answer, which
 * would then wait for its whole time; this one answers it with an error whose data is BROKEN_OFF.
 */
export function openHttpLink(server: McpHttpServer, { onLost, onTrouble }: LinkEvents): Link {
  const pending = new Map<RequestId, Pending>();
  let listened = false;
  const given = server.fetch ?? fetch;

  const watched = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await given(url, init);
    if (init.method === "GET") {
      // A server that has no such stream may say 404 from the start; later it means that the session is gone.
      if (response.status === 404 && listened) onLost();
      listened ||= response.ok;
    }
    const id = init.method === "POST" ? requestIdIn(init.body) : undefined;
    const streams = response.ok && /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    if (id === undefined || !streams || response.body === null) return response;
    // What the stream held has been read and dispatched in microtasks when the next macrotask runs.
    const body = watchBody(response.body, () => setImmediate(() => breakOff(id)));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };

  const inner = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { ...server.headers } },
    fetch: watched,
  });

  const breakOff = (id: RequestId, { resumable = false } = {}): void => {
    const entry = pending.get(id);
    if (entry === undefined || (entry.resumable && !resumable)) return;
    pending.delete(id);
    const error = {
      code: ErrorCode.ConnectionClosed,
      message: "The stream of the answer broke off.",
      data: BROKEN_OFF,
    };
    transport.onmessage?.({ jsonrpc: "2.0", id, error });
  };

  inner.onclose = () => transport.onclose?.();
  inner.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      // An answer to a call that was stopped meanwhile is nobody's.
      if (message.id === undefined || !pending.delete(message.id)) return;
    }
    transport.onmessage?.(message);
  };
  inner.onerror = (error) => {
    // What fails a request is its caller's; here is what nobody else hears of.
    if (!error.message.startsWith(GAVE_UP)) return;
    for (const [id, { resumable }] of [...pending]) if (resumable) breakOff(id, { resumable });
    const message = `MCP server '${labelOf(server)}' let its event stream drop; changes of its tools are not heard of until the next connection.`;
    onTrouble(new AgentError("UNAVAILABLE", message, { cause: error }));
  };

  const transport: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
    get sessionId() {
      return inner.sessionId;
    },
    async send(message, options = {}) {
      if (!isJSONRPCRequest(message)) {
        const stopped = "method" in message && message.method === "notifications/cancelled" && message.params;
        if (stopped) pending.delete(stopped["requestId"] as RequestId);
        return await inner.send(message, options as object);
      }
      const entry: Pending = { resumable: false };
      pending.set(message.id, entry);
      const onresumptiontoken = (): void => {
        entry.resumable = true;
      };
      try {
        await inner.send(message, { onresumptiontoken });
      } catch (error) {
        pending.delete(message.id);
        throw error;
      }
    },
  };

  return {
    transport,
    lastWords: async () => [],
    lostSession: (error) =>
      inner.sessionId !== undefined &&
      error instanceof StreamableHTTPError &&
      // 404 by the protocol; some servers say 400 to a session that they do not know.
      (error.code === 404 || (error.code === 400 && /session|not initialized/i.test(error.message))),
    async close() {
      const timer = new AbortController();
      const goodbye = inner.terminateSession().catch(() => {});
      await Promise.race([goodbye, wait(GOODBYE_MS, undefined, { signal: timer.signal, ref: false }).catch(() => {})]);
      timer.abort();
      await inner.close();
    },
  };
}

/** A server that does not hear the end of its session will find out by itself. */
const GOODBYE_MS = 1_000;

/** How the SDK begins to say that it no longer tries to open a stream again. */
const GAVE_UP = "Maximum reconnection attempts";

function requestIdIn(body: unknown): RequestId | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  return isJSONRPCRequest(message) ? message.id : undefined;
}
