import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "redis";
import type { Keeper } from "./keep.ts";
import type { WantedService } from "./resolve-service.ts";
import { type StartOnFreePortOptions, startOnFreePort } from "./start-on-free-port.ts";
import { within } from "./within.ts";

export const REDIS: WantedService = {
  title: "Redis",
  variable: "REDIS_URL",
  example: "redis://:password@127.0.0.1:6379",
  check: async (url) => {
    await ask(url, (client) => client.ping());
  },
  programs: [["redis-server"]],
  folders: () => [],
  aptPackage: "redis-server",
  macos: "brew install redis",
};

export interface StartRedisOptions extends Pick<StartOnFreePortOptions, "nextPort" | "deadlineMs"> {
  keeper: Keeper;
  /** Path of redis-server. */
  server: string;
}

const PROBE_DEADLINE_MS = 5_000;

/** Starts an empty Redis that writes nothing to disk, and returns its URL. */
export async function startRedis({ keeper, server, ...timing }: StartRedisOptions): Promise<string> {
  const folder = join(keeper.folder, "redis");
  mkdirSync(folder, { mode: 0o700 });
  const port = await startOnFreePort({
    keeper,
    command: (port) => ({
      name: "redis",
      command: server,
      args: ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no", "--dir", folder],
      cwd: folder,
      stopSignals: ["SIGTERM"],
    }),
    probe: async (port) => {
      const { dir } = await ask(redisUrl(port), (client) => client.configGet("dir"));
      if (dir !== folder) throw new Error(`another Redis answers on port ${port}, from ${dir}`);
    },
    ...timing,
  });
  return redisUrl(port);
}

function redisUrl(port: number): string {
  return `redis://127.0.0.1:${port}`;
}

async function ask<T>(url: string, question: (client: ReturnType<typeof connection>) => Promise<T>): Promise<T> {
  const client = connection(url);
  // Failures reach us through the promises; without a listener the same failure would end the process.
  client.on("error", () => {});
  try {
    const answer = client.connect().then(() => question(client));
    // The client itself waits for ever on a server that accepts and says nothing.
    return await within(PROBE_DEADLINE_MS, `no answer within ${PROBE_DEADLINE_MS} ms`, answer);
  } finally {
    if (client.isOpen) client.destroy();
  }
}

function connection(url: string) {
  return createClient({ url, socket: { connectTimeout: PROBE_DEADLINE_MS, reconnectStrategy: false } });
}
