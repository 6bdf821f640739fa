import { jsonReply, type Reply } from "../edge/reply.ts";
import type { RouteHandler } from "./services.ts";

/** `GET /openapi.json`. Made when somebody asks, and kept as text: it takes a few milliseconds. */
export function openApiRoute(make: () => unknown): RouteHandler {
  let reply: Reply | undefined;
  return async () => {
    reply ??= jsonReply(make());
    return reply;
  };
}
