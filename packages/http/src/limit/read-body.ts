import { AgentError } from "@agents/schema/error";
import { HttpError } from "../edge/http-error.ts";

/**
 * The body as text. Refuses with 413 one that is longer than the limit: at once where its length was announced, else as
 * soon as it has been exceeded, without reading on. CANCELLED when the client leaves meanwhile.
 */
export async function readBody(request: Request, limit: number): Promise<string> {
  try {
    return await read(request, limit);
  } catch (error) {
    if (AgentError.is(error)) throw error;
    throw new AgentError("CANCELLED", "The request's body ended before it was whole.", { cause: error });
  }
}

async function read(request: Request, limit: number): Promise<string> {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    const length = Number(announced);
    if (length > limit) throw tooLong(limit, length);
    // The server's parser holds the body to the length that was announced.
    return request.text();
  }
  return request.body === null ? "" : readStream(request.body, limit);
}

async function readStream(body: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > limit) {
      // Not awaited: a source that does not answer must not keep the refusal back.
      void reader.cancel().catch(() => {});
      throw tooLong(limit);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function tooLong(limit: number, length?: number): HttpError {
  const said = length === undefined ? `has more than ${limit} bytes` : `has ${length} bytes, and the limit is ${limit}`;
  return new HttpError(413, "RESOURCE_EXHAUSTED", `The request's body ${said}. Send less, or raise limits.bodyBytes.`, {
    details: { limit },
    // What is still under way is not read: the connection cannot be used again.
    headers: { connection: "close" },
  });
}
