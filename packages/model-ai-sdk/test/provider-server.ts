import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One call of a provider's package, as its server sees it. */
export interface Exchange {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the provider's package sent; tests look at members.
  readonly body: any;
  readonly response: ServerResponse;
  /** Resolves when the client has taken this many bytes of the answer. */
  delivered(bytes: number): Promise<void>;
  /** Resolves when the connection is gone before the answer ended, or the answer ended. */
  readonly closed: Promise<void>;
}

export type Answering = (exchange: Exchange) => void | Promise<void>;

export interface ProviderServer {
  readonly url: string;
  /** The real fetch; the server learns how many bytes of each answer were taken, so that a cut is a cut. */
  readonly fetch: typeof globalThis.fetch;
  readonly exchanges: readonly Exchange[];
  /** TCP connections so far. */
  readonly connections: () => number;
  answer(answering: Answering): void;
  close(): Promise<void>;
}

const CALL_ID = "x-call-id";

/** A real HTTP server on a free port that answers as it is told to. */
export async function startProviderServer(): Promise<ProviderServer> {
  const deliveries = new Map<string, Delivery>();
  const exchanges: Exchange[] = [];
  let answering: Answering = ({ response }) => void response.writeHead(500).end("nobody said what to answer");
  let calls = 0;
  let connections = 0;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const delivery = deliveries.get(String(request.headers[CALL_ID])) ?? new Delivery();
    const exchange: Exchange = {
      path: request.url ?? "",
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString() || "null"),
      response,
      delivered: (bytes) => delivery.reached(bytes),
      closed: once(response, "close").then(() => {}),
    };
    exchanges.push(exchange);
    await answering(exchange);
  });
  server.on("connection", () => void connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    connections: () => connections,
    async fetch(input, init) {
      const id = String(++calls);
      const delivery = new Delivery();
      deliveries.set(id, delivery);
      const headers = new Headers(init?.headers);
      headers.set(CALL_ID, id);
      const response = await globalThis.fetch(input, { ...init, headers });
      const counted = response.body?.pipeThrough(delivery.counter()) ?? null;
      return new Response(counted, { status: response.status, headers: response.headers });
    },
    answer(next) {
      answering = next;
      exchanges.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

class Delivery {
  #bytes = 0;
  readonly #waiting: { readonly bytes: number; readonly resolve: () => void }[] = [];

  counter(): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (chunk, controller) => {
        controller.enqueue(chunk);
        this.#bytes += chunk.length;
        for (const { bytes, resolve } of this.#waiting) if (bytes <= this.#bytes) resolve();
      },
    });
  }

  reached(bytes: number): Promise<void> {
    if (bytes <= this.#bytes) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ bytes, resolve }));
  }
}
