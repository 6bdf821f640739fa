import { createClient } from "redis";
import {
  isCluster,
  PLAIN_REPLIES,
  type RedisClientLike,
  type RedisClusterLike,
  type RedisSubscriberLike,
} from "./redis-client.ts";
import { toStoreError } from "./to-store-error.ts";
import { within } from "./within.ts";

/** The server, or the cluster: where commands go and where connections come from. */
export interface RedisServer {
  /** Resolves once commands can be sent. Rejects with UNAVAILABLE when the server cannot be reached. */
  connect(): Promise<void>;
  /** To the node that has the key. Rejects with whatever node-redis rejects with. */
  send(key: string, args: string[]): Promise<unknown>;
  /** To each node that takes writes. */
  sendToAll(args: string[]): Promise<readonly unknown[]>;
  /** A connection for hints, which is the caller's to connect and to destroy. */
  subscriber(): Promise<RedisSubscriberLike>;
  /** Ends what it opened itself. */
  close(): void;
}

/** The longest pause between two attempts to connect. */
const LONGEST_PAUSE_MS = 2_000;

/** A client of our own. While it is away commands fail at once, because the runtime repeats them itself. */
export function openServer(url: string, timeoutMs: number): RedisServer {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: timeoutMs, reconnectStrategy: pauseAfter },
  });
  let lastError: unknown;
  let onError: ((error: unknown) => void) | undefined;
  client.on("error", (error: unknown) => {
    lastError = error;
    onError?.(error);
  });
  let connecting: Promise<unknown> | undefined;
  return {
    ...serverOf(client, timeoutMs),
    async connect() {
      if (client.isReady) return;
      connecting ??= client.connect();
      // It goes on trying for ever; whoever waits hears of the first failure.
      const failed = new Promise<never>((_, reject) => {
        onError = reject;
        if (lastError !== undefined && !client.isReady) reject(lastError);
      });
      try {
        await within(timeoutMs, Promise.race([connecting, failed]));
        lastError = undefined;
      } catch (error) {
        lastError = undefined;
        throw toStoreError(error);
      }
    },
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}

/** A client that the user connects and closes. */
export function serverOver(client: RedisClientLike | RedisClusterLike, timeoutMs: number): RedisServer {
  return isCluster(client) ? clusterOf(client, timeoutMs) : serverOf(client, timeoutMs);
}

function serverOf(client: RedisClientLike, timeoutMs: number): RedisServer {
  return {
    connect: async () => {},
    send: (_, args) => within(timeoutMs, client.sendCommand(args, PLAIN_REPLIES)),
    sendToAll: async (args) => [await within(timeoutMs, client.sendCommand(args, PLAIN_REPLIES))],
    subscriber: async () => duplicate(client, pauseAfter),
    close() {},
  };
}

function clusterOf(cluster: RedisClusterLike, timeoutMs: number): RedisServer {
  const clientOf = (node: object) => cluster.nodeClient(node as never);
  return {
    connect: async () => {},
    send: (key, args) => within(timeoutMs, cluster.sendCommand(key, false, args, PLAIN_REPLIES)),
    sendToAll: (args) =>
      Promise.all(
        cluster.masters.map(async (node) => within(timeoutMs, (await clientOf(node)).sendCommand(args, PLAIN_REPLIES))),
      ),
    async subscriber() {
      const node = cluster.masters[Math.floor(Math.random() * cluster.masters.length)];
      if (node === undefined) throw toStoreError(new Error("the cluster has no masters"));
      // Any node passes on what another publishes, so one that stays away is given up for another.
      return duplicate(await clientOf(node), (retries) => (retries < 3 ? pauseAfter(retries) : false));
    },
    close() {},
  };
}

function duplicate(client: RedisClientLike, reconnectStrategy: (retries: number) => number | false) {
  const socket = { ...client.options?.socket, reconnectStrategy };
  return client.duplicate({ disableOfflineQueue: false, socket });
}

/** Doubles from 25 ms, and differs between processes, which lost their connections in the same moment. */
function pauseAfter(retries: number): number {
  return Math.min(25 * 2 ** Math.min(retries, 10), LONGEST_PAUSE_MS) * (0.75 + Math.random() / 4);
}
