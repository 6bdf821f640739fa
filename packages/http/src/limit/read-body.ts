import { AgentError } from "@agents/schema/error";
import { HttpError } from "../edge/http-error.ts";
import type { Inbound } from "../edge/inbound.ts";

/**
 * The body as text. Refuses with 413 one that is longer than the limit: at once where its length was announced, else as
 * soon as it has been exceeded, without reading on. CANCELLED when the client leaves meanwhile.
 */
export function readBody(inbound: Inbound, limit: number): Promise<string> {
  const tooLong = (length?: number): HttpError => tooLongFor(limit, length);
  const announced = Number(inbound.header("content-length") ?? 0);
  if (announced > limit) throw tooLong(announced);
  return inbound.body(limit, tooLong).catch((error: unknown) => {
    if (AgentError.is(error)) throw error;
    throw new AgentError("CANCELLED", "The request's body ended before it was whole.", { cause: error });
  });
}

function tooLongFor(limit: number, length: number | undefined): HttpError {
  const said = length === undefined ? `has more than ${limit} bytes` : `has ${length} bytes, and the limit is ${limit}`;
  return new HttpError(413, "RESOURCE_EXHAUSTED", `The request's body ${said}. Send less, or raise limits.bodyBytes.`, {
    details: { limit },
    // What is still under way is not read: the connection cannot be used again.
    headers: { connection: "close" },
  });
}
