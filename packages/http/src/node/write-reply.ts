import type { ServerResponse } from "node:http";
import type { Reply } from "../edge/reply.ts";
import { writeStreamBody } from "./node-sink.ts";

export function writeReply({ status, headers, body }: Reply, outgoing: ServerResponse): void {
  if (typeof body === "object" && body !== null) {
    outgoing.writeHead(status, headers as Record<string, string>);
    // The turn's id is of use before there is anything to stream.
    outgoing.flushHeaders();
    writeStreamBody(body, outgoing);
    return;
  }
  const text = body ?? "";
  const length = status === 204 ? undefined : { "content-length": Buffer.byteLength(text) };
  outgoing.writeHead(status, { ...headers, ...length });
  outgoing.end(text);
}
