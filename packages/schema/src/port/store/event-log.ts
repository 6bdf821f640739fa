import type { Position } from "../../route/index.ts";
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
   * Adds events and renews the lease, also one that ran out while its epoch holds. Refused unless the epoch is the row's,
   * the row is live and `firstSeq = lastSeq + 1`. The very batch that is stored last under this epoch is a repeat: it
   * answers `ok: true` and writes nothing.
   */
  append(caller: Caller, lease: Lease, request: AppendRequest): Promise<Fenced>;
  /**
   * Events after a position, in order and without gaps, at most `limit`, and the row at that moment. A reader may hold
   * events that a worker sent and never stored: it goes on after the smaller of `seq` and the last stored event whose epoch
   * is not above the position's. Undefined when the turn is unknown. A final row whose events were pruned gives none.
   */
  readEvents(
    caller: Caller,
    snapshotId: string,
    page: { readonly after: Position; readonly limit: number },
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly turn: TurnMeta } | undefined>;
}

export interface StoredEvent {
  readonly seq: number;
  /** Epoch of the writer: a follower notices a takeover by it. */
  readonly epoch: number;
  readonly json: string;
}
