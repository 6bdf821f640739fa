import type { Caller } from "@agents/schema/port";
import type { RedisSubscriberLike } from "../server/redis-client.ts";
import { toStoreError } from "../server/to-store-error.ts";
import { within } from "../server/within.ts";

export interface HintHubOptions {
  /** A new connection, not yet made. */
  readonly subscriber: () => Promise<RedisSubscriberLike>;
  readonly timeoutMs: number;
}

interface Watcher {
  readonly caller: Caller;
  readonly onHint: () => unknown;
  watching: boolean;
  /** A hint is on its way: further changes ride with it. */
  due: boolean;
}

interface Channel {
  readonly watchers: Set<Watcher>;
  readonly listener: (owner: string) => void;
  subscribed: Promise<void>;
}

/**
 * Who wants to look again, and at what: one connection for all watches of a store, one subscription per turn. Whenever
 * the connection was away everybody looks again, because nobody knows what was missed.
 */
export class HintHub {
  readonly #options: HintHubOptions;
  readonly #channels = new Map<string, Channel>();
  #connection: Promise<RedisSubscriberLike> | undefined;
  #due: Watcher[] = [];
  #closed = false;

  constructor(options: HintHubOptions) {
    this.#options = options;
  }

  /** How many subscriptions there are: 0 after the last watcher left. */
  get size(): number {
    return this.#channels.size;
  }

  /** What it resolves to stops the hints, one already on its way included. Safe to repeat. */
  async watch(name: string, caller: Caller, onHint: () => void): Promise<() => Promise<void>> {
    const watcher: Watcher = { caller, onHint, watching: true, due: false };
    const channel = this.#channels.get(name) ?? this.#open(name);
    channel.watchers.add(watcher);
    try {
      await channel.subscribed;
    } catch (error) {
      await this.#leave(name, channel, watcher);
      throw error;
    }
    return () => this.#leave(name, channel, watcher);
  }

  close(): void {
    this.#closed = true;
    for (const { watchers } of this.#channels.values()) for (const watcher of watchers) watcher.watching = false;
    this.#channels.clear();
    this.#connection?.then(destroy, () => {});
    this.#connection = undefined;
  }

  #open(name: string): Channel {
    const watchers = new Set<Watcher>();
    const listener = (owner: string) => {
      for (const watcher of watchers) if (maySee(watcher.caller, owner)) this.#raise(watcher);
    };
    const channel: Channel = { watchers, listener, subscribed: this.#subscribe(name, listener) };
    this.#channels.set(name, channel);
    return channel;
  }

  async #subscribe(name: string, listener: (owner: string) => void): Promise<void> {
    try {
      const connection = await this.#connected();
      await within(this.#options.timeoutMs, connection.subscribe(name, listener));
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async #leave(name: string, channel: Channel, watcher: Watcher): Promise<void> {
    watcher.watching = false;
    if (!channel.watchers.delete(watcher) || channel.watchers.size > 0) return;
    if (this.#channels.get(name) === channel) this.#channels.delete(name);
    try {
      const connection = await this.#connection;
      if (connection?.isOpen) await within(this.#options.timeoutMs, connection.unsubscribe(name, channel.listener));
    } catch {
      // A connection that is gone has no subscriptions either.
    }
  }

  #connected(): Promise<RedisSubscriberLike> {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #connect(): Promise<RedisSubscriberLike> {
    const connection = await this.#options.subscriber();
    connection.on("error", () => {
      if (!connection.isOpen) this.#replace();
    });
    let wasReady = false;
    connection.on("ready", () => {
      if (wasReady) this.#raiseAll();
      wasReady = true;
    });
    try {
      await within(this.#options.timeoutMs, connection.connect());
    } catch (error) {
      destroy(connection);
      throw error;
    }
    if (this.#closed) destroy(connection);
    return connection;
  }

  /** The connection was given up, as that to a node that is gone. */
  #replace(): void {
    if (this.#closed) return;
    this.#connection = undefined;
    for (const [name, channel] of this.#channels) {
      channel.subscribed = this.#subscribe(name, channel.listener);
      // Until the next watch tries again, the slow poll has to do.
      channel.subscribed.then(
        () => this.#raiseAll(),
        () => this.#channels.delete(name),
      );
    }
  }

  #raiseAll(): void {
    for (const { watchers } of this.#channels.values()) for (const watcher of watchers) this.#raise(watcher);
  }

  #raise(watcher: Watcher): void {
    if (watcher.due) return;
    watcher.due = true;
    if (this.#due.push(watcher) === 1) setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    const due = this.#due;
    this.#due = [];
    for (const watcher of due) {
      // Before the call: a hint that leads to a write raises the next one.
      watcher.due = false;
      if (watcher.watching) callQuietly(watcher.onHint);
    }
  }
}

/** The message says whose the turn is, as scripts write an optional text. */
function maySee({ owner }: Caller, message: string): boolean {
  return owner === undefined || message === "-" || message === `=${owner}`;
}

function destroy(connection: RedisSubscriberLike): void {
  if (connection.isOpen) connection.destroy();
}

function callQuietly(onHint: () => unknown): void {
  try {
    const answer = onHint();
    // An async function fits the type too, and would end the process by its unhandled rejection.
    if (answer instanceof Promise) answer.catch(() => undefined);
  } catch {
    // The watcher's own failure.
  }
}
