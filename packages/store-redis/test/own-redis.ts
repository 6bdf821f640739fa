import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";

export type Client = ReturnType<typeof connection>;

/** A server of a test's own, which it may kill, fill and configure. */
export interface OwnRedis {
  readonly port: number;
  readonly url: string;
  /** Ends it as a crash would: kill -9. */
  kill(): Promise<void>;
  /** Starts it again on what it wrote to disk, and resolves once it answers. */
  start(): Promise<void>;
  /** A client of it, closed with it. */
  client(): Promise<Client>;
  stop(): Promise<void>;
}

/** The shell goes when its input closes, with this process at the latest, and takes the server along. */
const KEEPER = '"$@" >/dev/null 2>&1 & cat >/dev/null; kill -9 $!; wait $! 2>/dev/null';

export async function startOwnRedis(args: readonly string[] = ["--save", "", "--appendonly", "no"]): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), "redis-store-"));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const clients: Client[] = [];
  let keeper: ReturnType<typeof spawn> | undefined;
  const own: OwnRedis = {
    port,
    url,
    async kill() {
      if (keeper === undefined) return;
      const ended = once(keeper, "exit");
      keeper.stdin?.end();
      await ended;
      keeper = undefined;
    },
    async start() {
      const command = ["redis-server", "--bind", "127.0.0.1", "--port", String(port), "--dir", folder, ...args];
      keeper = spawn("sh", ["-c", KEEPER, "sh", ...command], { stdio: ["pipe", "ignore", "ignore"] });
      await untilReady(url);
    },
    async client() {
      const client = connection(url);
      await client.connect();
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) if (client.isOpen) client.destroy();
      await own.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await own.start();
  return own;
}

function connection(url: string) {
  const client = createClient({ url });
  // A server that is killed is expected here; without a listener it would end the test run.
  client.on("error", () => {});
  return client;
}

async function untilReady(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: () => 10 } });
  client.on("error", () => {});
  try {
    await client.connect();
    for (;;) {
      const loading = await client.ping().catch(() => "loading");
      if (loading === "PONG") return;
    }
  } finally {
    client.destroy();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
