import type { AgentApi } from "@agents/schema/port";
import { type FastifyInstance, fastify } from "fastify";
import { createHandler } from "../../src/index.ts";
import { attachWebSocket, nodeListener } from "../../src/node/index.ts";

/** Fastify 5: in a scope of its own, where bodies are not parsed. Fastify leaves the path as it is. */
export function fastifyServer(agents: readonly AgentApi[]): FastifyInstance {
  const handler = createHandler({ agents, basePath: "/api" });
  const listener = nodeListener(handler);
  const app = fastify();
  app.get("/", async () => "home");
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.all("/api/*", (request, reply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    });
  });
  attachWebSocket(app.server, handler);
  return app;
}
