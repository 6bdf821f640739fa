import type { AgentContext, Caller, Clock, IdSource, Store, Telemetry } from "@agents/schema/port";
import type { Registry } from "../bidi/create-registry.ts";
import type { AbortWatches } from "../turn/abort-watch.ts";
import type { LeaseKeeper, LeaseTiming } from "../turn/lease-keeper.ts";
import type { LiveTurns } from "../turn/live-turns.ts";
import type { TurnQueue } from "../turn/queue-turn.ts";
import type { AgentLookUp } from "./agent-look-up.ts";

/** What all agents of one `createAgents` share. */
export interface Runtime {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly telemetry: Telemetry;
  readonly registry: Registry;
  readonly defaultStore: Store | undefined;
  readonly lookUp: AgentLookUp;
  readonly lease: LeaseTiming;
  readonly pollMs: number;
  readonly log: { readonly flushMs: number; readonly batchSize: number };
  readonly cachedSessions: number;
  readonly recordState: boolean;
  readonly callerOf: (context: AgentContext) => Caller;
  /** What this process knows of a store. One per store, however many agents use it. */
  readonly sharedBy: (store: Store) => StoreShare;
}

export interface StoreShare {
  /** Measured. */
  readonly store: Store;
  readonly keeper: LeaseKeeper;
  readonly watches: AbortWatches;
  readonly live: LiveTurns;
  readonly queue: TurnQueue;
}
