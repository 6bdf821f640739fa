import { randomBytes } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Row } from "../database/statement.ts";
import { encodeText } from "../text/text.ts";
import { channelOf, payloadsOf, tagsIn } from "./channel.ts";
import { Listener } from "./listener.ts";
import { Poller } from "./poller.ts";
import { turnKey, turnTag, type Watch, WatchList } from "./watch-list.ts";

export interface HintHubOptions {
  readonly database: Database;
  readonly notifications: "listen" | "off";
  readonly delayMs: number;
  readonly pollIntervalMs: number;
  readonly readVersions: (scopes: readonly string[], ids: readonly string[]) => Promise<readonly Row[]>;
}

/**
 * Hints within the process at once; to and from other processes by notifications, gathered for a moment and sent outside
 * of any transaction, or by polling while nothing listens.
 */
export class HintHub {
  readonly #options: HintHubOptions;
  readonly #watches = new WatchList();
  readonly #listener: Listener | undefined;
  readonly #poller: Poller;
  readonly #sender = randomBytes(6).toString("base64url");
  readonly #gathered = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #wasLost = false;

  constructor(options: HintHubOptions) {
    const { database, notifications, pollIntervalMs, readVersions } = options;
    this.#options = options;
    this.#poller = new Poller({ watches: this.#watches, intervalMs: pollIntervalMs, readVersions });
    if (notifications === "off") return;
    this.#listener = new Listener({
      database,
      channel: channelOf(database.schema),
      onNotification: (payload) => {
        for (const tag of tagsIn(payload, this.#sender)) this.#watches.hintTag(tag);
      },
      onLost: () => {
        this.#wasLost = true;
        if (this.#watches.size > 0) this.#poller.start();
      },
      onListening: () => {
        this.#poller.stop();
        this.#listener?.hold(this.#watches.size > 0);
        // Nobody knows what was sent while nothing listened.
        if (this.#wasLost) this.#watches.hintAll();
        this.#wasLost = false;
      },
    });
  }

  /** For health: whether others' changes come late, because there is no connection to listen on. */
  get isDeaf(): boolean {
    return this.#listener !== undefined && this.#watches.size > 0 && !this.#isListening();
  }

  raise(scope: string, snapshotIds: readonly (string | undefined)[]): void {
    for (const snapshotId of snapshotIds) {
      if (snapshotId === undefined) continue;
      const key = turnKey(encodeText(scope), encodeText(snapshotId));
      this.#watches.hint(key);
      if (this.#listener !== undefined) this.#gathered.add(key);
    }
    if (this.#gathered.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#send(), this.#options.delayMs);
  }

  /** Rejects when neither a connection listens nor the server can be asked. */
  async watch(scope: string, snapshotId: string, onHint: () => void): Promise<() => Promise<void>> {
    const watch = this.#watches.add(encodeText(scope), encodeText(snapshotId), onHint);
    try {
      await this.#flowing(watch);
    } catch (error) {
      this.#watches.remove(watch);
      throw error;
    }
    return async () => {
      this.#watches.remove(watch);
      if (this.#watches.size === 0) this.#listener?.hold(false);
    };
  }

  async close(): Promise<void> {
    this.#poller.stop();
    this.#watches.clear();
    this.#listener?.stop();
    await this.#send();
  }

  async #flowing(watch: Watch): Promise<void> {
    await this.#listener?.start();
    this.#listener?.hold(true);
    if (this.#isListening()) return;
    await this.#poller.look(watch);
    // The connection may have come back meanwhile.
    if (!this.#isListening()) this.#poller.start();
  }

  #isListening(): boolean {
    return this.#listener?.isListening === true;
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const keys = [...this.#gathered];
    this.#gathered.clear();
    const { database } = this.#options;
    for (const payload of payloadsOf(this.#sender, keys.map(turnTag))) {
      // A hint may be lost: nobody waits for it to be on disk, and nobody is told when it cannot be sent.
      const text = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
      await database.run({ name: "notify", text }, [channelOf(database.schema), payload]).catch(() => {});
    }
  }
}
