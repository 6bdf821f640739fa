import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@agents/schema/port";
import { WebSocketServer } from "ws";
import type { Inbound } from "../edge/inbound.ts";
import type { Handler } from "../handler/handler.ts";
import { systemClock } from "../presence/system-clock.ts";
import { NOT_THIS_HOST } from "./loopback.ts";
import { headerBytes, requestOf } from "./node-inbound.ts";
import { rawResponse } from "./raw-response.ts";
import { serveWebSocket } from "./ws-socket.ts";

export interface AttachWebSocketOptions {
  /** Time between pings; a client that does not answer one before the next is gone. In milliseconds. @default 30_000 */
  readonly pingMs?: number;
  /** @default the machine's */
  readonly clock?: Clock;
  /** Whether a request is to be looked at: others are refused. @default all */
  readonly accepts?: (incoming: IncomingMessage) => boolean;
}

export interface AttachedWebSocket {
  /** Cuts what is still open, and listens no more. */
  close(): void;
}

/** Serves `WS /agents/{name}/connect` on a server of yours, beside whatever it does with requests. */
export function attachWebSocket(
  server: Server,
  handler: Handler,
  { pingMs = 30_000, clock = systemClock, accepts = () => true }: AttachWebSocketOptions = {},
): AttachedWebSocket {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: handler.limits.messageBytes,
    // Compression holds memory per socket, and a message that is small on the wire may be large here.
    perMessageDeflate: false,
  });

  async function onUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onError = (): void => void socket.destroy();
    socket.on("error", onError);
    const answer = accepts(incoming) ? await handler.upgrade(inboundOf(incoming)) : NOT_THIS_HOST;
    if (typeof answer === "function") {
      sockets.handleUpgrade(incoming, socket, head, (ws) => {
        socket.off("error", onError);
        serveWebSocket(ws, answer, { clock, pingMs });
      });
      return;
    }
    // Somebody else on this server may know the path.
    if (answer.status === 404 && server.listenerCount("upgrade") > 1) return;
    socket.end(rawResponse(answer));
  }

  const listener = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void =>
    void onUpgrade(incoming, socket, head);
  server.on("upgrade", listener);
  return {
    close() {
      server.off("upgrade", listener);
      for (const ws of sockets.clients) ws.terminate();
      sockets.close();
    },
  };
}

/** There is no response yet whose end would tell; a socket says itself when it is gone. */
function inboundOf(incoming: IncomingMessage): Inbound {
  return {
    method: "GET",
    url: incoming.url ?? "/",
    header: (name) => {
      const value = incoming.headers[name];
      return (Array.isArray(value) ? value.join(", ") : value) ?? null;
    },
    headerBytes: () => headerBytes(incoming),
    body: () => Promise.resolve(""),
    get request() {
      return requestOf(incoming);
    },
    onLeave: () => () => {},
  };
}
