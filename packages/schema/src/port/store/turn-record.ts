import type { StoredStatus } from "../../agent/index.ts";
import type { PatchOperation } from "../../patch/index.ts";

/** Milliseconds since 1970 by the store's own clock. Never compared with another machine's. */
export type StoreTime = number;

/** The right to write one turn. Every write carries it; a write with an epoch that is not the row's is refused. */
export interface Lease {
  readonly snapshotId: string;
  readonly sessionId: string;
  /** 1 at begin, one more at each takeover (claim, abort of a stale row, begin over a stale row). */
  readonly epoch: number;
}

/**
 * A state as it is written: a whole one (a checkpoint) or an RFC 6902 patch against the parent's state. The runtime
 * decides which and counts; a store keeps the figures and gives them back in `TurnMeta`.
 */
export interface StateContent extends StateFigures {
  readonly kind: "full" | "patch";
  /** The state or the patch, as JSON text. */
  readonly json: string;
  /** The whole state as JSON text, made only when called: for stores that keep no chains. */
  full(): string;
  /**
   * The whole state, deeply frozen: for stores in the same process. Its list of messages is as long as the history, and is
   * made when this is read; so read it only where the whole state is kept.
   */
  readonly value: unknown;
  /**
   * What leads from the parent's state to this one, deeply frozen and sharing its values with `value`; also where `kind`
   * is "full". For stores in the same process, whose memory then grows with what was said. Absent without a parent.
   */
  readonly operations?: readonly PatchOperation[];
}

export interface StateFigures {
  readonly stateHash: string;
  /** Digest of the messages alone: lets the next turn hash what it adds instead of the conversation. */
  readonly messagesDigest: string;
  /** UTF-8 bytes of the whole state. */
  readonly stateBytes: number;
  /** UTF-8 bytes and rows that loading this snapshot reads, itself included. */
  readonly loadBytes: number;
  readonly loadRows: number;
}

/** Everything about a turn but its state, input and events. Small: heartbeats and lists move only this. */
export interface TurnMeta {
  readonly snapshotId: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly parentId?: string;
  /** Per session, from 1, in the order of begin. The only order: timestamps and ids say nothing. */
  readonly ordinal: number;
  readonly status: StoredStatus;
  /**
   * Live and out of its lease, by the store's clock. A stale `pending` reads as expired, a stale `aborting` as aborted.
   * Always false on a final row.
   */
  readonly stale: boolean;
  /** One more at every change of status, epoch, events or saved state; not at a heartbeat. Lets a reader tell that something changed. */
  readonly version: number;
  readonly epoch: number;
  /** Sequence number of the last stored event, 0 before the first. */
  readonly lastSeq: number;
  /** What settle wrote: finish reason, error, usage. JSON text, opaque to the store. */
  readonly result?: string;
  readonly owner?: string;
  readonly createdAt: StoreTime;
  /** Last change of `version`. */
  readonly updatedAt: StoreTime;
  /** Last renewal of the lease; absent once settled. */
  readonly heartbeatAt?: StoreTime;
  /**
   * Of the state that was saved with this row when it settled. Absent: none was, and what its children start from is the
   * state of the nearest ancestor that has one. Progress of a live row is not shown here.
   */
  readonly state?: StateFigures;
}

/**
 * What the caller lacks to rebuild a state, oldest first: from a checkpoint, or after `knownId`, the nearest of the row
 * and its ancestors that the caller said it holds. Empty with `knownId` when the caller holds the very state. Rows without
 * state are left out. Ids in `known` that are not among them are ignored.
 */
export interface StateChain {
  readonly knownId?: string;
  readonly rows: readonly StateRow[];
}

/** Rows of values and operations are handed back as they were given: only a store in the same process has them. */
export type StateRow =
  | { readonly snapshotId: string; readonly kind: "full" | "patch"; readonly json: string }
  | { readonly snapshotId: string; readonly kind: "value"; readonly value: unknown }
  | { readonly snapshotId: string; readonly kind: "operations"; readonly operations: readonly PatchOperation[] };

/**
 * Events `firstSeq`, `firstSeq + 1`, …, each as JSON text. Empty is allowed and writes none; its `firstSeq` is not looked
 * at. A store without the part `events` ignores batches, and its `lastSeq` stays 0.
 */
export interface EventBatch {
  readonly firstSeq: number;
  readonly events: readonly string[];
}

/** How a turn ends. */
export interface Outcome {
  readonly status: "completed" | "failed" | "aborted";
  /** JSON text, opaque to the store. */
  readonly result: string;
  /** Absent: the row keeps no state of its own. */
  readonly content?: StateContent;
  /** The last events, the terminal one among them: written in the same transaction. */
  readonly events: EventBatch;
  /** The turn waits for a person. Prune keeps such a row until it has a completed child. @default false */
  readonly waiting?: boolean;
}

/** How a turn ends that has no worker left. Whoever closes it does not know its log: events follow what is stored. */
export interface ClosingOutcome extends Omit<Outcome, "events"> {
  /** Each as JSON text; numbered by the store, under the raised epoch. */
  readonly events: readonly string[];
}

/** Answer to a fenced write. `turn` is the row as it is now; it is absent when the row does not exist (any more). */
export type Fenced = { readonly ok: true; readonly turn: TurnMeta } | { readonly ok: false; readonly turn?: TurnMeta };
