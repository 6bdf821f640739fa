import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type EventStore, StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

export interface HttpServerOptions {
  readonly build: () => McpServer | Server;
  /** @default any that is free */
  readonly port?: number;
  /** Answers requests before the server sees them: true when it did. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Knows no sessions: each request is served by a server of its own. @default false */
  readonly stateless?: boolean;
  /** What streams can be resumed from. */
  readonly eventStore?: EventStore;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Ids of the sessions that are open. */
  readonly sessions: ReadonlySet<string>;
  /** Drops every connection, as a process that dies does. */
  close(): Promise<void>;
}

/** An MCP server on a free port of the loopback, one MCP session per client. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { build, port = 0, intercept, stateless = false, eventStore } = options;
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const sessions = new Set<string>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      ...(stateless ? {} : { sessionIdGenerator: randomUUID }),
      onsessioninitialized: (id) => {
        transports.set(id, transport);
        sessions.add(id);
      },
      onsessionclosed: (id) => {
        transports.delete(id);
        sessions.delete(id);
      },
      ...(eventStore === undefined ? {} : { eventStore, retryInterval: 1 }),
    });
    await build().connect(transport as never);
    return transport;
  };
  const server = createServer(async (request, response) => {
    if (intercept?.(request, response)) return;
    const id = request.headers["mcp-session-id"] as string | undefined;
    const transport = id === undefined ? await open() : transports.get(id);
    if (transport !== undefined) return await transport.handleRequest(request, response);
    const error = { code: -32001, message: "Session not found" };
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    port: address.port,
    sessions,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
