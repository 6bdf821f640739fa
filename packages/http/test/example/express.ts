import { createServer, type Server } from "node:http";
import type { AgentApi } from "@agents/schema/port";
import express from "express";
import { createHandler } from "../../src/index.ts";
import { attachWebSocket, nodeListener } from "../../src/node/index.ts";

/** Express 5: mount it before body parsers, below a path of your choice. Express takes the path off. */
export function expressServer(agents: readonly AgentApi[]): Server {
  const handler = createHandler({ agents });
  const app = express();
  app.use("/api", nodeListener(handler));
  app.use(express.json());
  app.get("/", (_, response) => {
    response.send("home");
  });
  const server = createServer(app);
  // WebSockets do not pass through Express, so their handler knows the path itself.
  attachWebSocket(server, createHandler({ agents, basePath: "/api" }));
  return server;
}
