import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server, and can lose what the server answers, with the connection. */
export interface AnswerDropper {
  readonly url: string;
  /** How many requests have passed, counted as writes of the client that the server answered. */
  readonly requests: () => number;
  /** The next answer does not arrive: the work is done and the connection is gone. */
  dropNext(): void;
  stop(): Promise<void>;
}

export async function startAnswerDropper(port: number): Promise<AnswerDropper> {
  let dropping = false;
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
        sockets.delete(socket);
      });
    }
    client.on("data", (data) => {
      requests++;
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (!dropping) return client.write(data);
      dropping = false;
      return client.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    dropNext() {
      dropping = true;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
