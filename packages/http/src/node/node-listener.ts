import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../handler/handler.ts";
import { NodeInbound } from "./node-inbound.ts";
import { writeReply } from "./write-reply.ts";

export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** For `node:http`, Express, Fastify and whatever else speaks Node's own request and response. */
export function nodeListener(handler: Handler): NodeListener {
  return (incoming, outgoing) => {
    const written = handler.reply(new NodeInbound(incoming, outgoing)).then((reply) => {
      writeReply(reply, outgoing);
      // A body that was refused is not read to its end; what comes of it must not stop the connection from closing.
      if (!incoming.readableEnded) incoming.resume();
    });
    written.catch(() => outgoing.destroy());
  };
}
