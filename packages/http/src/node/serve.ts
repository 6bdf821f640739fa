import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "@agents/schema/port";
import type { Reply } from "../edge/reply.ts";
import { createHandler } from "../handler/create-handler.ts";
import type { Handler } from "../handler/handler.ts";
import type { HandlerOptions } from "../handler/handler-options.ts";
import type { DrainOptions } from "../presence/work.ts";
import { attachWebSocket } from "./attach-web-socket.ts";
import { checkHostname, isForLoopback, LOOPBACK, NOT_THIS_HOST } from "./loopback.ts";
import { type NodeListener, nodeListener } from "./node-listener.ts";
import { rawResponse, refusal } from "./raw-response.ts";
import { writeReply } from "./write-reply.ts";

export interface ListenOptions {
  /** 0: any that is free. @default 3000 */
  readonly port?: number;
  /** @default 127.0.0.1 without `authenticate`, which may not be left then; all interfaces with it */
  readonly hostname?: string;
  /** Longest time until a request's headers are there, in milliseconds; then 408. @default 10_000 */
  readonly headersTimeoutMs?: number;
  /** Longest time until the whole request is there, in milliseconds; then 408. @default 30_000 */
  readonly requestTimeoutMs?: number;
  /** Time between pings of WebSockets, in milliseconds. @default 30_000 */
  readonly pingMs?: number;
  /** Of pings; a handler has its own. @default the machine's */
  readonly clock?: Clock;
  /** How `close` ends what is under way. */
  readonly shutdown?: DrainOptions;
  /** Signals of the process upon which the server closes. @default none */
  readonly signals?: readonly NodeJS.Signals[];
}

/** A handler, or the options of one. */
export type ServeOptions = ListenOptions & ({ readonly handler: Handler } | HandlerOptions);

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly handler: Handler;
  /** Node's own. */
  readonly server: Server;
  /**
   * Stops accepting, lets what is under way end as `shutdown` says, and closes. Resolves when the port is free and nothing
   * runs any more; a second call gets the first one's promise.
   */
  close(options?: DrainOptions): Promise<void>;
}

/** Time for connections to end by themselves once everything was said, in milliseconds. */
const FAREWELL_MS = 500;

/** Serves agents on a port. Rejects with what listening failed with, and with FAILED_PRECONDITION for an open door. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const handler = "handler" in options ? options.handler : createHandler(options);
  const { port = 3000, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, pingMs, clock, signals = [] } = options;
  const hostname = options.hostname ?? (handler.authenticated ? undefined : LOOPBACK);
  if (!handler.authenticated && hostname !== undefined) checkHostname(hostname);

  const accepts = handler.authenticated ? () => true : isForLoopback;
  const server = createServer(
    {
      maxHeaderSize: handler.limits.headerBytes,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.max(1, Math.min(headersTimeoutMs, requestTimeoutMs) / 2),
    },
    guarded(nodeListener(handler), accepts),
  );
  server.on("clientError", refuseClient);
  const sockets = attachWebSocket(server, handler, {
    accepts,
    ...(pingMs === undefined ? {} : { pingMs }),
    ...(clock === undefined ? {} : { clock }),
  });
  await listen(server, port, hostname);

  let closing: Promise<void> | undefined;
  const stopSignals = signals.map((signal) => {
    const onSignal = (): void => void running.close();
    process.once(signal, onSignal);
    return () => void process.off(signal, onSignal);
  });

  async function close(how: DrainOptions | undefined): Promise<void> {
    for (const stop of stopSignals) stop();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await handler.drain(how ?? options.shutdown);
    server.closeIdleConnections();
    const cut = setTimeout(() => {
      server.closeAllConnections();
      sockets.close();
    }, FAREWELL_MS);
    await closed;
    clearTimeout(cut);
    sockets.close();
  }

  const address = server.address() as AddressInfo;
  const host = hostname === undefined ? LOOPBACK : hostname.includes(":") ? `[${hostname}]` : hostname;
  const running: RunningServer = {
    url: `http://${host}:${address.port}`,
    port: address.port,
    handler,
    server,
    close(how) {
      closing ??= close(how);
      return closing;
    },
  };
  return running;
}

function listen(server: Server, port: number, hostname: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, ...(hostname === undefined ? {} : { host: hostname }) }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function guarded(listener: NodeListener, accepts: (incoming: IncomingMessage) => boolean): NodeListener {
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (accepts(incoming)) listener(incoming, outgoing);
    else writeReply(NOT_THIS_HOST, outgoing);
  };
}

/** What Node's parser refuses, before there is a request. */
function refuseClient(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else socket.end(rawResponse(CLIENT_ERRORS[error.code ?? ""] ?? NOT_HTTP));
}

const NOT_HTTP = refusal(400, "INVALID_ARGUMENT", "This is not a valid HTTP request.");
const CLIENT_ERRORS: Readonly<Record<string, Reply>> = {
  HPE_HEADER_OVERFLOW: refusal(431, "RESOURCE_EXHAUSTED", "The request's headers are longer than the limit."),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, "DEADLINE_EXCEEDED", "The request did not arrive in time."),
};
