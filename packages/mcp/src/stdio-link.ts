import type { Stream } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Link } from "./link.ts";
import type { McpStdioServer } from "./server.ts";

/** A link to a child process. It starts when the client connects. */
export function openStdioLink({ command, args = [], env, cwd }: McpStdioServer): Link {
  const transport = new StartedTransport({
    command,
    args: [...args],
    stderr: "pipe",
    ...(env === undefined ? {} : { env: { ...env } }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const tail = new LineTail(transport.stderr as Stream);
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  const within = async (ms: number): Promise<void> => {
    const timer = new AbortController();
    await Promise.race([ended, wait(ms, undefined, { signal: timer.signal, ref: false }).catch(() => {})]);
    timer.abort();
  };
  return {
    transport,
    lostSession: () => false,
    async lastWords() {
      await within(WORDS_MS);
      return tail.lines();
    },
    async close() {
      await transport.close();
      // The transport does not wait for the signal that it sent last.
      if (transport.started) await within(KILLED_MS);
    },
  };
}

/** A process that said something wrong and lives on is not waited for longer. */
const WORDS_MS = 200;
/** The kernel ends a killed process at once, unless it hangs in a device. */
const KILLED_MS = 5_000;

class StartedTransport extends StdioClientTransport {
  started = false;

  override async start(): Promise<void> {
    await super.start();
    this.started = true;
  }
}

/** The last lines that went through a stream. */
class LineTail {
  static readonly #LINES = 20;
  static readonly #LENGTH = 4_000;
  #text = "";

  constructor(stream: Stream) {
    stream.on("data", (chunk: Buffer) => {
      this.#text = (this.#text + chunk.toString("utf8")).slice(-LineTail.#LENGTH);
    });
  }

  lines(): readonly string[] {
    return this.#text.trim().split(/\r?\n/).slice(-LineTail.#LINES).filter(Boolean);
  }
}
