import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@agents/schema/port";
import { WebSocketServer } from "ws";
import type { Reply } from "../edge/reply.ts";
import type { Handler } from "../handler/handler.ts";
import { systemClock } from "../presence/system-clock.ts";
import type { AcceptSocket } from "../socket/socket.ts";
import { headerBytes } from "./node-listener.ts";
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
    const request = requestOf(incoming);
    const answer: Reply | AcceptSocket | undefined =
      request === undefined || !accepts(incoming)
        ? undefined
        : await handler.upgrade(request, { headerBytes: headerBytes(incoming) });
    if (typeof answer === "function") {
      sockets.handleUpgrade(incoming, socket, head, (ws) => {
        socket.off("error", onError);
        serveWebSocket(ws, answer, { clock, pingMs });
      });
      return;
    }
    // Somebody else on this server may know the path.
    if (answer?.status === 404 && server.listenerCount("upgrade") > 1) return;
    socket.end(rawResponse(answer ?? NOT_VALID));
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

const NOT_VALID: Reply = {
  status: 400,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ status: "INVALID_ARGUMENT", message: "The request's host or path is not valid." }),
};

function requestOf({ headers, url = "/", rawHeaders }: IncomingMessage): Request | undefined {
  try {
    const given = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      given.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
    }
    return new Request(new URL(url, `http://${headers.host}`), { headers: given });
  } catch {
    return undefined;
  }
}
