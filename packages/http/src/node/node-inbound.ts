import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { AgentError } from "@agents/schema/error";
import { type Inbound, readRequest } from "../edge/inbound.ts";

/** Node's own request, read as it is. A Request is made of it only when somebody asks for one. */
export class NodeInbound implements Inbound {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #request: Request | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get method(): string {
    return this.#incoming.method ?? "GET";
  }

  get url(): string {
    return this.#incoming.url ?? "/";
  }

  get request(): Request {
    this.#request ??= requestOf(this.#incoming);
    return this.#request;
  }

  header(name: string): string | null {
    const value = this.#incoming.headers[name];
    return (Array.isArray(value) ? value.join(", ") : value) ?? null;
  }

  headerBytes(): number {
    return headerBytes(this.#incoming);
  }

  body(limit: number, tooLong: () => Error): Promise<string> {
    // Whoever authenticates may have read a clone of it, which shares the stream.
    if (this.#request !== undefined) return readRequest(this.#request, limit, tooLong);
    return readIncoming(this.#incoming, limit, tooLong);
  }

  onLeave(callback: () => void): () => void {
    const outgoing = this.#outgoing;
    const onClose = (): void => {
      if (!outgoing.writableFinished) callback();
    };
    if (outgoing.destroyed) queueMicrotask(callback);
    else outgoing.once("close", onClose);
    return () => outgoing.off("close", onClose);
  }
}

export function headerBytes({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): number {
  let bytes = rawHeaders.length * 2;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/** Throws INVALID_ARGUMENT for a host or a path that no URL can have. */
export function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", headers, rawHeaders, url = "/" } = incoming;
  const given = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    given.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  const scheme = "encrypted" in incoming.socket ? "https" : "http";
  const init: RequestInit = { method, headers: given };
  if (method !== "GET" && method !== "HEAD") {
    init.body = Readable.toWeb(incoming) as unknown as ReadableStream;
    init.duplex = "half";
  }
  try {
    // Not resolved against the host: a path that begins with "//" would name another.
    return new Request(`${scheme}://${headers.host ?? "localhost"}${url.startsWith("/") ? url : `/${url}`}`, init);
  } catch (error) {
    throw new AgentError("INVALID_ARGUMENT", "The request's host or path is not valid.", { cause: error });
  }
}

function readIncoming(incoming: IncomingMessage, limit: number, tooLong: () => Error): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const onData = (piece: Buffer): void => {
      length += piece.length;
      if (length > limit) {
        incoming.off("data", onData);
        incoming.pause();
        reject(tooLong());
      } else pieces.push(piece);
    };
    incoming.on("data", onData);
    incoming.on("end", () => {
      resolve((pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)).toString("utf8"));
    });
    incoming.on("close", () => {
      // Of every request. An error that nobody will see is not worth its stack.
      if (!incoming.readableEnded) reject(new Error("The client left."));
    });
    incoming.on("error", reject);
    if (incoming.readableEnded) resolve("");
  });
}
