import { type McpToolSource, type McpToolsOptions, mcpTools } from "../src/index.ts";
import { watchBody } from "../src/watch-body.ts";
import { type Control, createControl } from "./control.ts";
import { type HttpServer, type HttpServerOptions, startHttpServer } from "./http-server.ts";
import { createToolServer } from "./tool-server.ts";

/** Servers and sources of one test. */
export interface HttpWorld {
  readonly control: Control;
  serve(options?: Partial<HttpServerOptions>): Promise<HttpServer>;
  /** With a fetch that tells `control` of event streams: "listening", "stream ended", "resumed". */
  connect(server: HttpServer, options?: Partial<McpToolsOptions>): Promise<McpToolSource>;
  /** Ends the server's process; the client has noticed when it resolves. */
  stop(server: HttpServer): Promise<void>;
  /** Stops the server and starts another on the same port, which knows none of the sessions. */
  restart(server: HttpServer): Promise<HttpServer>;
  close(): Promise<void>;
}

export async function createHttpWorld(): Promise<HttpWorld> {
  const control = await createControl();
  const servers = new Set<HttpServer>();
  const sources: McpToolSource[] = [];

  const spy = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url, init);
    if (new Headers(init.headers).has("last-event-id")) control.say("resumed");
    if (init.method !== "GET" || response.body === null) return response;
    control.say("listening");
    const body = watchBody(response.body, () => control.say("stream ended"));
    return new Response(body, response);
  };

  const serve: HttpWorld["serve"] = async (options = {}) => {
    const server = await startHttpServer({ build: () => createToolServer(control), ...options });
    servers.add(server);
    return server;
  };
  const stop: HttpWorld["stop"] = async (server) => {
    await control.heard("listening");
    servers.delete(server);
    await server.close();
    await control.heard("stream ended");
  };
  return {
    control,
    serve,
    stop,
    async connect({ url }, options = {}) {
      const source = await mcpTools({ server: { url, fetch: spy }, ...options });
      sources.push(source);
      return source;
    },
    async restart(server) {
      await stop(server);
      return await serve({ port: server.port });
    },
    async close() {
      for (const source of sources) await source.close();
      for (const server of servers) await server.close();
      control.close();
    },
  };
}
