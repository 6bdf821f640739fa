import type { StoredStatus } from "@agents/schema/agent";
import type { BeginRequest, Clock, IdSource, Store } from "@agents/schema/port";
import type { StateCache } from "../snapshot/state-cache.ts";
import type { AbortWatches } from "./abort-watch.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import type { LiveTurns } from "./live-turns.ts";

/** How an agent's sends meet a turn that is running. */
export type Concurrency = "reject" | "queue" | "interrupt" | "fork";

/** What an agent says about its rows. */
export interface TurnRules {
  /** The agent's name, on every row. Rows of another agent do not exist for it. */
  readonly agent: string;
  /** Statuses that can be continued from: they move the head, and a branch may start there. */
  readonly resumable: readonly StoredStatus[];
  readonly concurrency: Concurrency;
  readonly ifForked: "newest" | "reject";
}

/** Where the turns of one agent are written: its store, and what this process knows of it. */
export interface TurnDesk {
  readonly store: Store;
  readonly rules: TurnRules;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Silence after which a turn reads as expired, in milliseconds: the length of a lease. */
  readonly expiryMs: number;
  /** How often to look at a row without a hint, in milliseconds. */
  readonly pollMs: number;
  readonly log: { readonly flushMs: number; readonly batchSize: number };
  readonly keeper: LeaseKeeper;
  readonly watches: AbortWatches;
  readonly live: LiveTurns;
  readonly cache: StateCache;
  /** What is written to a turn that has no worker left. */
  readonly closing: BeginRequest["lost"];
}
