import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { McpStdioServer } from "../src/index.ts";

/** Hears what servers have to tell, in this process or from another. */
export interface Control {
  readonly say: (word: string) => void;
  /** Resolves with the first word, from now or before, that starts so and was not taken yet. */
  heard(start: string): Promise<string>;
  /** How to start the server program. */
  readonly program: McpStdioServer;
  /** The process that started last, and was not asked for yet. */
  pid(): Promise<number>;
  close(): void;
}

export async function createControl(): Promise<Control> {
  const words: string[] = [];
  const waiting: { readonly start: string; readonly resolve: (word: string) => void }[] = [];
  const say = (word: string): void => {
    const index = waiting.findIndex(({ start }) => word.startsWith(start));
    if (index < 0) words.push(word);
    else waiting.splice(index, 1)[0]?.resolve(word);
  };
  const heard = (start: string): Promise<string> => {
    const index = words.findIndex((word) => word.startsWith(start));
    if (index >= 0) return Promise.resolve(words.splice(index, 1)[0] as string);
    return new Promise((resolve) => waiting.push({ start, resolve }));
  };
  const server = createServer((socket) => {
    let rest = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() as string;
      for (const line of lines) say(line);
    });
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    say,
    heard,
    program: {
      command: process.execPath,
      args: ["--import", "tsx", "test/stdio-server.ts"],
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      env: { CONTROL_PORT: String(port) },
    },
    pid: async () => Number((await heard("started ")).slice("started ".length)),
    close: () => void server.close(),
  };
}
