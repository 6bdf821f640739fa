import type { Database } from "../database/database.ts";
import type { PostgresClient } from "../database/postgres-pool.ts";

export interface ListenerOptions {
  readonly database: Database;
  readonly channel: string;
  readonly onNotification: (payload: string | undefined) => void;
  /** The connection was lost, or the first could not be made. */
  readonly onLost: () => void;
  /** Notifications flow, from now on or again: what was sent meanwhile was missed. */
  readonly onListening: () => void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** A connection can be gone without either side being told. */
const CHECK_MS = 30_000;

/** Keeps one connection listening: when it breaks, another is made, for as long as it takes. */
export class Listener {
  readonly #options: ListenerOptions;
  #client: PostgresClient | undefined;
  #first: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#client !== undefined;
  }

  /** Resolves when the first attempt was made, whether it went well or not. */
  start(): Promise<void> {
    this.#first ??= this.#connect(FIRST_PAUSE_MS);
    return this.#first;
  }

  /** Whether the connection keeps the process from ending. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#client?.ref?.();
    else this.#client?.unref?.();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  async #connect(pauseMs: number): Promise<void> {
    if (this.#isStopped) return;
    let client: PostgresClient | undefined;
    try {
      client = await this.#options.database.connect();
      this.#attach(client);
      await client.query({ text: `listen ${this.#options.channel}` });
    } catch {
      client?.release(true);
      this.#again(pauseMs);
      return;
    }
    // Stopped meanwhile, or lost in between: its end has been heard.
    if (this.#isStopped) {
      detach(client);
      client.release(true);
      return;
    }
    this.#client = client;
    this.#checkLater();
    this.#options.onListening();
  }

  #attach(client: PostgresClient): void {
    client.on("notification", ({ payload }) => this.#options.onNotification(payload));
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
  }

  #lost(client: PostgresClient): void {
    if (this.#client !== client) return;
    this.#drop();
    this.#again(FIRST_PAUSE_MS);
  }

  #again(pauseMs: number): void {
    if (this.#isStopped) return;
    this.#options.onLost();
    clearTimeout(this.#timer);
    // Not all processes at once, after a server that restarted.
    const jitter = 0.5 + Math.random();
    this.#timer = setTimeout(() => void this.#connect(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs * jitter);
    this.#timer.unref();
  }

  #checkLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_MS);
    this.#timer.unref();
  }

  async #check(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    try {
      await client.query({ text: "select 1", query_timeout: 5_000 });
      if (this.#client === client) this.#checkLater();
    } catch {
      this.#lost(client);
    }
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    detach(client);
    client.release(true);
  }
}

function detach(client: PostgresClient): void {
  client.removeAllListeners("notification");
  client.removeAllListeners("error");
  client.removeAllListeners("end");
  // Its last words must find somebody: an error without a listener ends the process.
  client.on("error", () => {});
}
