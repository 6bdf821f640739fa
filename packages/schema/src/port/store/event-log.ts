import type { Caller } from "./caller.ts";
import type { EventBatch, Fenced, Lease, StateContent, TurnMeta } from "./turn-record.ts";

export interface AppendRequest {
  readonly batch: EventBatch;
  readonly leaseMs: number;
  /** Replaces the pending row's saved progress: what `claim` would start from. */
  readonly progress?: StateContent;
}

/** Optional part: the numbered log of each turn, which makes it possible to follow and to re-join. */
export interface EventLog {
  /**
   * Adds events and renews the lease. Refused unless the epoch is the row's, the row is live and
   * `firstSeq = lastSeq + 1`; the answer then says where the log stands, so the writer can tell its own repeated batch
   * (which answers `ok: true`) from a takeover.
   */
  append(caller: Caller, lease: Lease, request: AppendRequest): Promise<Fenced>;
  /**
   * Events with `seq > after`, in order and without gaps, at most `limit`, and the row at that moment. Undefined when
   * the turn is unknown. A final row whose events were pruned gives none.
   */
  readEvents(
    caller: Caller,
    snapshotId: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly turn: TurnMeta } | undefined>;
}

export interface StoredEvent {
  readonly seq: number;
  /** Epoch of the writer: a follower notices a takeover by it. */
  readonly epoch: number;
  readonly json: string;
}
