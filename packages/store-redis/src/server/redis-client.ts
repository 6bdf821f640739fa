/** What the store uses of a client of node-redis 5 (`createClient`). */
export interface RedisClientLike {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  readonly options?: { readonly socket?: object | undefined } | undefined;
  sendCommand(args: readonly string[], options?: RedisCommandOptions): Promise<unknown>;
  duplicate(overrides?: object): RedisSubscriberLike;
}

/** What it uses of a cluster of node-redis 5 (`createCluster`). */
export interface RedisClusterLike {
  readonly isOpen: boolean;
  readonly masters: readonly object[];
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
    options?: RedisCommandOptions,
  ): Promise<unknown>;
  nodeClient(node: never): Promise<RedisClientLike>;
}

/** A connection of our own, for hints. */
export interface RedisSubscriberLike {
  readonly isOpen: boolean;
  on(event: "error" | "ready", listener: () => void): unknown;
  connect(): Promise<unknown>;
  destroy(): void;
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<void>;
}

export interface RedisCommandOptions {
  readonly typeMapping?: Record<never, never>;
}

/** Overrides what a user's client maps replies to: texts are texts here. */
export const PLAIN_REPLIES: RedisCommandOptions = { typeMapping: {} };

export function isCluster(client: RedisClientLike | RedisClusterLike): client is RedisClusterLike {
  return "masters" in client;
}
