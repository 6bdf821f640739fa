import { AgentError } from "@agents/schema/error";
import type { Caller } from "@agents/schema/port";
import type { ScriptName, Scripts } from "../lua/scripts.ts";
import type { KeySpace } from "../record/key-space.ts";
import type { Reply } from "../record/script-reply.ts";
import { type Layout, openLayout } from "../server/layout.ts";
import type { RedisServer } from "../server/redis-server.ts";
import { runScript } from "../server/run-script.ts";
import type { OnStep, RedisStoreStep } from "./redis-store-steps.ts";

export interface StoreContextOptions {
  readonly server: RedisServer;
  readonly keys: KeySpace;
  readonly buckets: number;
  readonly scoped: boolean;
  readonly ttlMs: number;
  /** Asked for each call, because tests move the clock. */
  readonly scripts: () => Scripts;
  readonly onStep: OnStep | undefined;
  /** Called once, when the server has first answered. */
  readonly onOpened: () => void;
}

/** What every operation needs. Opens itself on first use: makes the connection and looks at the layout. */
export class StoreContext {
  readonly server: RedisServer;
  readonly keys: KeySpace;
  readonly ttlMs: number;
  readonly #options: StoreContextOptions;
  #layout: Layout | undefined;
  #opening: Promise<Layout> | undefined;
  #closed = false;

  constructor(options: StoreContextOptions) {
    this.server = options.server;
    this.keys = options.keys;
    this.ttlMs = options.ttlMs;
    this.#options = options;
  }

  /** Throws FAILED_PRECONDITION after close, and for a caller without a scope where scopes are the rule. */
  admit({ scope }: Caller): void {
    this.refuseClosed();
    if (this.#options.scoped && scope === "") {
      throw new AgentError(
        "FAILED_PRECONDITION",
        "This Redis store was created with `scoped: true` and was called with an empty scope; give every call the scope of its tenant.",
      );
    }
  }

  refuseClosed(): void {
    if (this.#closed) {
      throw new AgentError("FAILED_PRECONDITION", "This Redis store is closed; create another.");
    }
  }

  async run(
    name: ScriptName,
    keys: readonly [string, ...string[]],
    args: readonly string[],
  ): Promise<readonly Reply[]> {
    if (this.#layout === undefined) await this.opened();
    return await runScript(this.server, { script: this.#options.scripts()[name], keys, args });
  }

  /** A command that is no script, for reading. */
  async send(key: string, args: string[]): Promise<unknown> {
    if (this.#layout === undefined) await this.opened();
    return await this.server.send(key, args);
  }

  /** A failure is not kept: the next call tries again. */
  async opened(): Promise<Layout> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return await this.#opening;
  }

  step(step: RedisStoreStep): void | Promise<void> {
    return this.#options.onStep?.(step);
  }

  get hasSteps(): boolean {
    return this.#options.onStep !== undefined;
  }

  close(): void {
    this.#closed = true;
    this.server.close();
  }

  async #open(): Promise<Layout> {
    await this.server.connect();
    this.#layout = await openLayout(this.server, this.keys.layout, this.#options.buckets);
    this.#options.onOpened();
    return this.#layout;
  }
}
