import { connect, type Socket } from "node:net";

/** What a client is told to do: the same request, over and over, on some connections at once. */
export interface Load {
  readonly port: number;
  readonly request: string;
  readonly connections: number;
  readonly requests: number;
}

/** Knows where an answer ends by its length, which never changes, or by the end of its chunked encoding. */
function run({ port, request, connections, requests }: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    let left = requests;
    let answered = 0;
    let started = 0;
    const sockets: Socket[] = [];
    const open = (): void => {
      const socket = connect(port, "127.0.0.1");
      sockets.push(socket);
      socket.setNoDelay(true);
      let received = 0;
      let whole = 0;
      let head = "";
      let tail = "";
      const send = (): void => {
        if (left === 0) return;
        left -= 1;
        started ||= performance.now();
        socket.write(request);
      };
      const done = (): void => {
        answered += 1;
        if (answered === requests) {
          const took = performance.now() - started;
          for (const each of sockets) each.destroy();
          resolve(took);
        } else send();
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (bytes) => {
        received += bytes.length;
        if (whole === 0) {
          head += bytes.toString("latin1");
          const end = head.indexOf("\r\n\r\n");
          const length = /content-length: (\d+)/i.exec(head);
          if (end === -1) return;
          whole = length === null ? -1 : end + 4 + Number(length[1]);
        }
        if (whole > 0) {
          if (received < whole) return;
          received -= whole;
          done();
          return;
        }
        tail = (tail + bytes.toString("latin1", Math.max(0, bytes.length - 7))).slice(-7);
        if (tail !== "\r\n0\r\n\r\n") return;
        tail = "";
        received = 0;
        done();
      });
    };
    for (let index = 0; index < connections; index++) open();
  });
}

process.on("message", (load: Load) => {
  run(load).then(
    (took) => process.send?.(took),
    (error: unknown) => {
      throw error;
    },
  );
});
