import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Load } from "./load-client.ts";

export interface LoadClient {
  /** Milliseconds from the first request to the last answer. */
  run(load: Load): Promise<number>;
  close(): void;
}

/** A client in a process of its own, so that what is measured is the server. */
export function startLoadClient(): LoadClient {
  const client = fork(fileURLToPath(new URL("./load-client.ts", import.meta.url)));
  return {
    run: (load) =>
      new Promise((resolve, reject) => {
        const onExit = (code: number | null): void => reject(new Error(`The client ended with ${code}.`));
        client.once("exit", onExit);
        client.once("message", (took) => {
          client.off("exit", onExit);
          resolve(took as number);
        });
        client.send(load);
      }),
    close: () => void client.kill(),
  };
}

export function postRequest(path: string, body: string, headers = ""): string {
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
