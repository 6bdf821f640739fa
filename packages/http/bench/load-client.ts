import { connect, type Socket } from "node:net";
import { AnswerCounter } from "./answer-counter.ts";

/** What a client is told to do: the same request, over and over, on some connections at once. */
export interface Load {
  readonly port: number;
  readonly request: string;
  readonly connections: number;
  /** 0: each connection sends one, and stays open without an end. */
  readonly requests: number;
}

/** Milliseconds from the first request to the last answer. */
function run({ port, request, connections, requests }: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    let left = requests;
    let answered = 0;
    const started = performance.now();
    const sockets: Socket[] = [];
    const finish = (): void => {
      const took = performance.now() - started;
      for (const each of sockets) each.destroy();
      resolve(took);
    };
    const send = (socket: Socket): void => {
      if (left === 0) return;
      left -= 1;
      socket.write(request);
    };
    for (let index = 0; index < connections; index++) {
      const socket = connect(port, "127.0.0.1", () => send(socket));
      const counter = new AnswerCounter();
      socket.setNoDelay(true);
      socket.on("error", reject);
      socket.on("data", (bytes) => {
        if (!counter.take(bytes)) return;
        answered += 1;
        if (answered === requests) finish();
        else send(socket);
      });
      sockets.push(socket);
    }
  });
}

const held: Socket[] = [];

/** Resolves when each connection has its first bytes. They stay open until the process ends. */
async function hold({ port, request, connections }: Load): Promise<number> {
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(request));
      socket.on("error", reject);
      socket.on("data", () => resolve());
      held.push(socket);
    });
  for (let index = 0; index < connections; index++) await open();
  return 0;
}

process.on("message", (load: Load) => {
  (load.requests === 0 ? hold(load) : run(load)).then(
    (took) => process.send?.(took),
    (error: unknown) => {
      throw error;
    },
  );
});
