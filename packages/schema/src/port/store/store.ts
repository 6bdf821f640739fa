import type { EventLog } from "./event-log.ts";
import type { Hints } from "./hints.ts";
import type { SessionIndex } from "./session-index.ts";
import type { TurnStore } from "./turn-store.ts";

export interface StoreHealth {
  /** Whether an acknowledged write survives a crash of the medium. */
  readonly durable: boolean;
  /** What an operator should know: evicts under pressure, does not persist, lags. Empty when all is well. */
  readonly warnings: readonly string[];
}

/**
 * Where sessions live. Only `turns` is required: an agent whose store lacks a part runs, and says so
 * (FAILED_PRECONDITION, naming the part) when a feature that needs it is used.
 */
export interface Store {
  /** For messages: "memory", "postgres". */
  readonly name: string;
  readonly turns: TurnStore;
  readonly events?: EventLog;
  readonly hints?: Hints;
  readonly index?: SessionIndex;
  /** Rejects with UNAVAILABLE when the medium cannot be reached. */
  health(): Promise<StoreHealth>;
  /** Ends watches and connections of its own; not a client or pool that it was given. Safe to repeat. */
  close(): Promise<void>;
}
