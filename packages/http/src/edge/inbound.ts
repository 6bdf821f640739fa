/**
 * A request as far as serving it needs: little of a Request, which is costly to make where the server has another kind.
 */
export interface Inbound {
  readonly method: string;
  /** Path and query, with or without scheme and host before them. */
  readonly url: string;
  /** By its name in lower case. */
  header(name: string): string | null;
  /** Size of all header lines, in bytes. */
  headerBytes(): number;
  /** The body as text; rejects with what `tooLong` makes as soon as there are more bytes than the limit. Called once. */
  body(limit: number, tooLong: (length?: number) => Error): Promise<string>;
  /** For those who look closer: what authenticates or authorizes. */
  readonly request: Request;
  /** Calls back once when the client has left before the answer was whole. What it returns takes the wish back. */
  onLeave(callback: () => void): () => void;
}

/** A web-standard Request: its signal says that the client has left. */
export function webInbound(request: Request): Inbound {
  const { method, url, headers } = request;
  return {
    method,
    url,
    request,
    header: (name) => headers.get(name),
    headerBytes() {
      let bytes = 0;
      headers.forEach((value, name) => {
        bytes += name.length + value.length + 4;
      });
      return bytes;
    },
    body: (limit, tooLong) => readRequest(request, limit, tooLong),
    onLeave(callback) {
      const { signal } = request;
      if (signal.aborted) queueMicrotask(callback);
      else signal.addEventListener("abort", callback, { once: true });
      return () => signal.removeEventListener("abort", callback);
    },
  };
}

/** Counts while it reads, whatever length was announced, and reads no further than it must. */
export async function readRequest(
  { body }: Pick<Request, "body">,
  limit: number,
  tooLong: (length?: number) => Error,
): Promise<string> {
  if (body === null) return "";
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
      throw tooLong();
    }
    text += decoder.decode(value, { stream: true });
  }
}
