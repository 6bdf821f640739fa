import type { StoredStatus } from "../../agent/index.ts";
import type { Caller } from "./caller.ts";
import type { ClosingOutcome, EventBatch, Fenced, Lease, Outcome, StateChain, TurnMeta } from "./turn-record.ts";

export interface BeginRequest {
  /** Made by the runtime, and derived from the idempotency key when there is one. See `makeSnapshotId`. */
  readonly snapshotId: string;
  readonly agent: string;
  readonly from: BeginFrom;
  /**
   * Statuses a branch may start from: completed, and with `resumeFrom: "settled"` also failed and aborted. A send starts
   * from the head, whose status was checked when it became the head.
   */
  readonly resumable: readonly StoredStatus[];
  /**
   * Made anew for each attempt to start a turn, and the same when that attempt is repeated after a lost answer: while the
   * row is as begin left it (live, epoch 1) the repeat is answered as the first was, with the lease. Anybody else with the
   * same id, and this one later, finds it `existing`.
   */
  readonly writer: string;
  /** Of the request's body: tells a second use of an idempotency key for the same thing from one for another. */
  readonly fingerprint?: string;
  /** The turn's input as JSON text; given back by `claim`. */
  readonly input: string;
  readonly leaseMs: number;
  /** Snapshots whose state this process still holds: rows up to and including the newest of them are not sent. */
  readonly known: readonly string[];
  /** First events of the turn; `firstSeq` is 1. */
  readonly events: EventBatch;
  /** What is written to a stale active turn that this call closes, by the status it is found in. */
  readonly lost: {
    readonly pending: ClosingOutcome;
    readonly aborting: ClosingOutcome & { readonly status: "aborted" };
    /** As in `SettleRequest`. */
    readonly heads: readonly StoredStatus[];
  };
}

export type BeginFrom =
  | {
      /** A send to a session: subject to its concurrency rule, and continues from its head. */
      readonly sessionId: string;
      /** Whether an unknown session is made; otherwise it is `notFound`. */
      readonly create: boolean;
      /** When another turn of such sends is live. Waiting (`queue`) is the runtime's: reject, wait for a hint, retry. */
      readonly ifActive: "reject" | "interrupt" | "fork";
      /**
       * When the session is forked: a turn has become resumable (its status is one of its settle's `heads`) although its
       * nearest ancestor that did so was not the head at that moment. Once forked, a session stays so.
       */
      readonly ifForked: "newest" | "reject";
    }
  | {
      /** A branch from exactly this turn: always allowed, never the session's active turn. */
      readonly snapshotId: string;
      /** When given, the snapshot must belong to it. */
      readonly sessionId?: string;
    };

export type BeginResult =
  /** `interrupted`: the turn that this call found active and left aborting. `closed`: the stale turn, settled as lost. */
  | {
      readonly type: "begun";
      readonly lease: Lease;
      readonly turn: TurnMeta;
      readonly parent?: TurnMeta;
      readonly chain: StateChain;
      readonly interrupted?: string;
      readonly closed?: string;
    }
  /** The id exists already, with the same fingerprint / with another one. */
  | { readonly type: "existing" | "conflict"; readonly turn: TurnMeta }
  /** Another turn is live / the snapshot to continue from has a status that is not in `resumable`. */
  | { readonly type: "busy" | "notResumable"; readonly turn: TurnMeta }
  | { readonly type: "notFound" | "archived" | "otherSession" | "forked" };

export interface SettleRequest {
  /** What to write, by the status the row is found in. An `aborting` row can only become aborted. */
  readonly pending: Outcome;
  readonly aborting: Outcome & { readonly status: "aborted" };
  /**
   * Statuses that move the session's head to this turn, if its ordinal is higher than the head's. Empty when the
   * snapshot policy declined the turn: the row is settled and the head stays.
   */
  readonly heads: readonly StoredStatus[];
}

export interface ClaimRequest {
  /** As in `BeginRequest`: a repeated claim of the same writer is answered as the first was. */
  readonly writer: string;
  readonly leaseMs: number;
  readonly known: readonly string[];
}

export type ClaimResult =
  | {
      readonly type: "claimed";
      readonly lease: Lease;
      readonly turn: TurnMeta;
      readonly input: string;
      readonly chain: StateChain;
    }
  /** Live elsewhere, or final. */
  | { readonly type: "refused"; readonly turn: TurnMeta }
  | { readonly type: "notFound" };

/** Leases of one process have many callers. */
export interface CallerLease {
  readonly caller: Caller;
  readonly lease: Lease;
}

export type ReadAt =
  | { readonly snapshotId: string }
  /**
   * The newest turn of the session, by ordinal, whose stored status is one of `among`. Not always the head: a turn that
   * the snapshot policy declined is completed and moves no head.
   */
  | { readonly sessionId: string; readonly among: readonly StoredStatus[] };

/**
 * The required part of a store: turns as rows.
 *
 * Rules for every method:
 * - **One atomic operation and one round trip.** Nothing is half done after a crash. No method takes a callback: the
 *   conditions are declared, the store checks them under its own lock.
 * - **Safe to repeat.** The runtime repeats a call whose answer was lost, unchanged. A repeated `begin` or `claim` is known
 *   by its writer and answered again; a `settle` on a row that is final under the same epoch, and an `append` of the last
 *   batch stored under the same epoch (also on a final row), answer `ok: true` with the row as it is; a repeated abort
 *   changes nothing. A repeat writes nothing, and renews no lease.
 * - **Lock the session before the turn**, everywhere. The other order deadlocks a settle against a begin.
 * - **Expected refusals are values** (`busy`, `ok: false`, `undefined`). What is thrown is an AgentError: UNAVAILABLE
 *   when the medium cannot be reached (the runtime retries), INVALID_ARGUMENT for a value that cannot be stored,
 *   DATA_LOSS for a record that does not decode.
 * - **The store's clock** decides what is stale; the caller's never does.
 * - Text is kept exactly, `\u0000` included.
 */
export interface TurnStore {
  /**
   * Reserves the row, enforces the session's concurrency rule, and returns the state to start from. In this order, where
   * the first that applies is the answer:
   *
   * 1. The id exists: `begun` again for its writer, else `existing` or `conflict` by fingerprint.
   * 2. `notFound` (a session that is unknown and not to be made, an unknown snapshot), `otherSession`, `archived`.
   * 3. A branch: `notResumable` by the snapshot's stored status. A send to a session: `forked`.
   * 4. A send, with an active turn that is stale: it is closed with `lost`, its epoch raised, so that its writer is refused
   *    from now on. This stays so whatever follows. Its head moves as `lost.heads` says.
   * 5. A send, with an active turn that is live: `busy`; or it is marked `aborting` (if it is not already) and is no longer
   *    active (`interrupt`); or it stays the active one (`fork`).
   * 6. The row is written, `pending`, epoch 1. Its parent is the snapshot named, or the head. A send becomes the session's
   *    active turn unless another stays it.
   */
  begin(caller: Caller, request: BeginRequest): Promise<BeginResult>;
  /**
   * Ends a turn: exactly one settle succeeds per row. Writes the outcome for the status found, its state and events,
   * clears the session's active turn if it is this one, and moves the head as `heads` says. An abort that was
   * requested before always wins. Saved progress is dropped. Refused, with nothing written, when the epoch is not the
   * row's, or `events` do not follow `lastSeq`. Being stale refuses nothing: the epoch does.
   */
  settle(caller: Caller, lease: Lease, request: SettleRequest): Promise<Fenced>;
  /**
   * Renews the leases of a process in one round trip, each by itself: one that is refused does not touch the others. The
   * answers are in the order of `leases`. A stale row whose epoch still holds becomes live again, an `aborting` one stays
   * aborting; a final row is refused. The lease then ends `leaseMs` from now, sooner or later than before.
   */
  heartbeat(leases: readonly CallerLease[], leaseMs: number): Promise<readonly Fenced[]>;
  /**
   * Asks a turn to stop. With a fresh lease it becomes `aborting` and its worker settles it; a stale one has no worker
   * left, so it is settled at once with `stale` and its epoch raised. A final row is unchanged. Undefined when unknown.
   */
  requestAbort(
    caller: Caller,
    snapshotId: string,
    stale: {
      readonly outcome: ClosingOutcome & { readonly status: "aborted" };
      readonly heads: readonly StoredStatus[];
    },
  ): Promise<{ readonly before: TurnMeta; readonly after: TurnMeta } | undefined>;
  /**
   * Takes over a stale `pending` turn, and no other: epoch + 1, fresh lease, its input, and the chain to its saved
   * progress, or to its parent's state if it saved none.
   */
  claim(caller: Caller, snapshotId: string, request: ClaimRequest): Promise<ClaimResult>;
  /** Reads a row, with the chain to its state unless `want` is "meta". Undefined when there is none. */
  read(
    caller: Caller,
    at: ReadAt,
    want: "meta" | { readonly known: readonly string[] },
  ): Promise<{ readonly turn: TurnMeta; readonly chain?: StateChain } | undefined>;
}
