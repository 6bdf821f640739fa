import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/** Small, fast, and the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface ChaosOptions {
  readonly target: () => number;
  readonly random: () => number;
  /** Whether a connection that begins with these bytes may be cut before its answer has begun. */
  readonly mayCutHead: (request: string) => boolean;
}

interface Passing {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Bytes before the cut. */
  readonly left: number;
}

/** A TCP proxy that splits what the server says anywhere, holds pieces back, and cuts connections, cleanly or not. */
export class ChaosProxy {
  cuts = 0;
  pieces = 0;
  /** Connections that are left alone once this many were cut since the last `reset`. */
  cutsLeft = 0;
  readonly #options: ChaosOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(options: ChaosOptions) {
    this.#options = options;
    this.#server = createServer((client) => this.#serve(client));
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket): void {
    const { random, target, mayCutHead } = this.#options;
    const upstream = dial({ port: target(), host: "127.0.0.1" });
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    let request = "";
    client.on("data", (bytes) => {
      if (request === "") request = bytes.toString("latin1");
      upstream.write(bytes);
    });
    let work = Promise.resolve();
    let budget: number | undefined;
    upstream.on("data", (bytes) => {
      if (budget === undefined) {
        const head = mayCutHead(request) ? 0 : bytes.indexOf("\r\n\r\n") + 4;
        budget = this.cutsLeft > 0 ? head + Math.floor(random() ** 2 * 900) : Number.POSITIVE_INFINITY;
      }
      const left = budget;
      budget -= bytes.length;
      work = work.then(() => this.#pass(bytes, { client, upstream, left }));
    });
    // What the server said before it closed still arrives.
    upstream.on("close", () => {
      work = work.then(() => {
        client.end();
      });
    });
  }

  /** Passes bytes on in pieces; cuts the connection where what is left for it ends within them. */
  async #pass(bytes: Buffer, { client, upstream, left }: Passing): Promise<void> {
    const { random } = this.#options;
    const upTo = Math.min(bytes.length, left);
    for (let from = 0; from < upTo && client.writable; this.pieces++) {
      const to = Math.min(upTo, from + 1 + Math.floor(random() ** 3 * 400));
      client.write(bytes.subarray(from, to));
      from = to;
      // The only delay there is: others come first, so pieces really travel one by one.
      if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
    }
    if (left > bytes.length || !client.writable) return;
    this.cuts++;
    this.cutsLeft--;
    if (random() < 0.5) client.end();
    else client.resetAndDestroy();
    upstream.destroy();
  }
}
