import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a store and its server: counts what is asked, and loses what is answered. */
export interface TestProxy {
  /** The server's, by way of this. */
  readonly url: string;
  /** Round trips so far: how often a client asked for an answer. */
  roundTrips(): number;
  /**
   * The next request that names this text reaches the server and is done; its answer is lost, and the connection with it.
   * Resolves once that happened.
   */
  loseAnswerTo(text: string): Promise<void>;
  /** Ends all connections, as a network does. */
  cut(): void;
  /** Until it is told otherwise, new connections are refused. */
  refuse(isRefusing: boolean): void;
  close(): Promise<void>;
}

interface Loss {
  readonly text: string;
  readonly done: () => void;
}

export async function startProxy(serverUrl: string): Promise<TestProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let count = 0;
  let isRefusing = false;
  let loss: Loss | undefined;

  const server = createServer((client) => {
    if (isRefusing) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
      sockets.delete(client);
    };
    sockets.add(client);
    let losing: Loss | undefined;
    const read = messageReader((type, body) => {
      if (type === "S" || type === "Q") count++;
      if (loss !== undefined && (type === "P" || type === "Q" || type === "B") && body.includes(loss.text)) {
        losing = loss;
        loss = undefined;
      }
    });
    client.on("data", (bytes) => {
      read(bytes);
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      // The server answers after it has committed.
      if (losing === undefined) client.write(bytes);
      else {
        end();
        losing.done();
      }
    });
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(serverUrl);
  url.port = String((server.address() as AddressInfo).port);

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    roundTrips: () => count,
    loseAnswerTo: (text) =>
      new Promise((resolve) => {
        loss = { text, done: resolve };
      }),
    cut,
    refuse(refusing) {
      isRefusing = refusing;
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** Takes a client's bytes apart: a first message without a type, then a type and a length before each body. */
function messageReader(onMessage: (type: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (isStarted) onMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end));
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}
