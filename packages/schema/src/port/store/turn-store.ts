import type { StoredStatus } from "../../wire/index.ts";
import type { Caller } from "./caller.ts";
import type { EventBatch, Fenced, Lease, Outcome, StateChain, TurnMeta } from "./turn-record.ts";

export interface BeginRequest {
  /** Made by the runtime, and derived from the idempotency key when there is one. See `makeSnapshotId`. */
  readonly snapshotId: string;
  readonly agent: string;
  readonly from: BeginFrom;
  /** Statuses a turn may be continued from: completed, and with `resumeFrom: "settled"` also failed and aborted. */
  readonly resumable: readonly StoredStatus[];
  /** Tells a repeated begin (same fingerprint) from another use of the same idempotency key. */
  readonly fingerprint?: string;
  /** The turn's input as JSON text; given back by `claim`. */
  readonly input: string;
  readonly leaseMs: number;
  /** Snapshots whose state this process still holds: rows up to and including the newest of them are not sent. */
  readonly known: readonly string[];
  /** First events of the turn; `firstSeq` is 1. */
  readonly events: EventBatch;
  /** What is written to a stale active turn that this call closes, by the status it is found in. */
  readonly lost: { readonly pending: Outcome; readonly aborting: Outcome };
}

export type BeginFrom =
  | {
      /** A send to a session: subject to its concurrency rule, and continues from its head. */
      readonly sessionId: string;
      /** Whether an unknown session is made; otherwise it is `notFound`. */
      readonly create: boolean;
      /** When another turn of such sends is live. Waiting (`queue`) is the runtime's: reject, wait for a hint, retry. */
      readonly ifActive: "reject" | "interrupt" | "fork";
      /** When the session has more than one branch. */
      readonly ifForked: "newest" | "reject";
    }
  | {
      /** A branch from exactly this turn: always allowed, never the session's active turn. */
      readonly snapshotId: string;
      /** When given, the snapshot must belong to it. */
      readonly sessionId?: string;
    };

export type BeginResult =
  /** `interrupted`: the turn that was marked aborting. `closed`: the stale turn that was settled as lost. */
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

export type ReadAt =
  | { readonly snapshotId: string }
  /** The newest turn of the session, by ordinal, whose status is one of `among`. */
  | { readonly sessionId: string; readonly among: readonly StoredStatus[] };

/**
 * The required part of a store: turns as rows.
 *
 * Rules for every method:
 * - **One atomic operation and one round trip.** Nothing is half done after a crash. No method takes a callback: the
 *   conditions are declared, the store checks them under its own lock.
 * - **Safe to repeat.** The runtime repeats a call whose answer was lost. A repeated `begin` answers `existing`, a
 *   repeated `settle` or `append` that was already applied answers `ok: true`, a repeated abort changes nothing.
 * - **Lock the session before the turn**, everywhere. The other order deadlocks a settle against a begin.
 * - **Expected refusals are values** (`busy`, `ok: false`, `undefined`). What is thrown is an AgentError: UNAVAILABLE
 *   when the medium cannot be reached (the runtime retries), INVALID_ARGUMENT for a value that cannot be stored,
 *   DATA_LOSS for a record that does not decode.
 * - **The store's clock** decides what is stale; the caller's never does.
 * - Text is kept exactly, `\u0000` included.
 */
export interface TurnStore {
  /**
   * Reserves the row, enforces the session's concurrency rule, and returns the state to start from. In order:
   * an existing id answers `existing` or `conflict`; an archived session `archived`; for a send to a session, a stale
   * active turn is closed with `lost` (its epoch raised, so that its writer is refused from now on), a live one answers
   * `busy`, or is marked `aborting` and no longer active (`interrupt`), or stays active beside the new one (`fork`).
   * The parent is the head, or the snapshot named; only then is the row written, as `pending`, epoch 1.
   */
  begin(caller: Caller, request: BeginRequest): Promise<BeginResult>;
  /**
   * Ends a turn: exactly one settle succeeds per row. Writes the outcome for the status found, its state and events,
   * clears the session's active turn if it is this one, and moves the head as `heads` says. An abort that was
   * requested before always wins. Refused when the epoch is not the row's or the row is final (unless this very settle
   * was applied before).
   */
  settle(caller: Caller, lease: Lease, request: SettleRequest): Promise<Fenced>;
  /** Renews all leases of a process in one call, in any order; the answers are in the order of `leases`. */
  heartbeat(caller: Caller, leases: readonly Lease[], leaseMs: number): Promise<readonly Fenced[]>;
  /**
   * Asks a turn to stop. With a fresh lease it becomes `aborting` and its worker settles it; a stale one has no worker
   * left, so it is settled at once with `outcome` and its epoch raised. A final row is unchanged. Undefined when unknown.
   */
  requestAbort(
    caller: Caller,
    snapshotId: string,
    outcome: Outcome & { readonly status: "aborted" },
  ): Promise<{ readonly before: TurnMeta; readonly after: TurnMeta } | undefined>;
  /** Takes over a stale `pending` turn, and no other: epoch + 1, fresh lease, its input and last saved state. */
  claim(
    caller: Caller,
    snapshotId: string,
    options: { readonly leaseMs: number; readonly known: readonly string[] },
  ): Promise<ClaimResult>;
  /** Reads a row, with the chain to its state unless `want` is "meta". Undefined when there is none. */
  read(
    caller: Caller,
    at: ReadAt,
    want: "meta" | { readonly known: readonly string[] },
  ): Promise<{ readonly turn: TurnMeta; readonly chain?: StateChain } | undefined>;
}
