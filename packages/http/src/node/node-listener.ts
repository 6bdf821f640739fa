import type { IncomingMessage, ServerResponse } from "node:http";
import { HTTP_STATUS, MASKED_MESSAGE, type WireError } from "@agents/schema/error";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Peer } from "../edge/exchange.ts";
import type { Handler } from "../handler/handler.ts";
import { writeReply } from "./write-reply.ts";

export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** For `node:http`, Express, Fastify and whatever else speaks Node's own request and response. */
export function nodeListener(handler: Handler): NodeListener {
  const listener = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      writeReply(await handler.reply(request, peerOfNode(incoming, outgoing)), outgoing);
      return RESPONSE_ALREADY_SENT;
    },
    {
      // The application's own Request and Response stay what they are.
      overrideGlobalObjects: false,
      errorHandler: (error) => refusal(error instanceof RequestError),
    },
  );
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/** Listens to the response itself: an AbortSignal for each request costs more than the rest of routing. */
function peerOfNode(incoming: IncomingMessage, outgoing: ServerResponse): Peer {
  return {
    headerBytes: headerBytes(incoming),
    onLeave(callback) {
      const onClose = (): void => {
        if (!outgoing.writableFinished) callback();
      };
      if (outgoing.destroyed) queueMicrotask(callback);
      else outgoing.once("close", onClose);
      return () => outgoing.off("close", onClose);
    },
  };
}

export function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = rawHeaders.length * 2;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/** Of a request that is none: a Host or a path that no URL can have. */
function refusal(isTheirs: boolean): Response {
  const error: WireError = isTheirs
    ? { status: "INVALID_ARGUMENT", message: "The request's host or path is not valid." }
    : { status: "INTERNAL", message: MASKED_MESSAGE };
  const headers = { "content-type": "application/json", connection: "close" };
  return new Response(JSON.stringify(error), { status: HTTP_STATUS[error.status], headers });
}
