import type { StoredStatus } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type {
  Caller,
  EventBatch,
  Fenced,
  Lease,
  Outcome,
  SettleRequest,
  StateContent,
  TurnMeta,
} from "@agents/schema/port";
import type { EventData } from "@agents/schema/wire";
import type { AbortWatch } from "./abort-watch.ts";
import type { HeldLease } from "./lease-keeper.ts";
import type { TurnDesk } from "./turn-desk.ts";
import { type ClosedLog, createTurnLog, type TurnLog } from "./turn-log.ts";
import { encodeTurnResult, type TurnResult } from "./turn-result.ts";
import { untilAnswered } from "./until-answered.ts";

export interface OpenTurnOptions {
  readonly caller: Caller;
  readonly lease: Lease;
  /** The row as begin or claim left it. */
  readonly turn: TurnMeta;
  /** Somebody asked for the turn to stop. May be called more than once. */
  readonly onAbort: () => void;
  /** The turn is not ours any more. Called at most once. */
  readonly onLost: () => void;
}

type TerminalType = "turn.completed" | "turn.failed" | "turn.canceled";

/** One way for a turn to end. */
export type TurnEnding = {
  [Type in TerminalType]: {
    readonly status: Outcome["status"];
    readonly result: TurnResult;
    /** Undefined: the row keeps no state of its own. */
    readonly content: StateContent | undefined;
    readonly event: { readonly type: Type; readonly data: EventData<Type> };
  };
}[TerminalType];

export interface SettleTurnOptions {
  /** How the turn ended, unless somebody asked for it to stop meanwhile. */
  readonly pending: TurnEnding;
  readonly aborting: TurnEnding & { readonly status: "aborted" };
  /** Statuses that make it the session's head. */
  readonly heads: readonly StoredStatus[];
}

export interface SettledTurn {
  /** The row as it is now: `status` says which of the endings was written. */
  readonly turn: TurnMeta;
  /** Of the last event; undefined without a log. */
  readonly position: string | undefined;
}

/** A row while this process works on it: its lease is renewed, its log is open, an abort is noticed. */
export interface OpenTurn {
  readonly lease: Lease;
  readonly log: TurnLog | undefined;
  /**
   * Ends the row: one round trip, repeated until it is answered or the lease is over. Rejects with ABORTED when the turn
   * is not ours any more, and UNAVAILABLE when the store could not be reached.
   */
  settle(options: SettleTurnOptions): Promise<SettledTurn>;
  /** Lets go of the row without a word: it is not ours any more, or will read as expired. */
  abandon(): void;
}

export function openTurn(desk: TurnDesk, options: OpenTurnOptions): OpenTurn {
  return new LeasedTurn(desk, options);
}

class LeasedTurn implements OpenTurn {
  readonly lease: Lease;
  readonly log: TurnLog | undefined;
  readonly #desk: TurnDesk;
  readonly #options: OpenTurnOptions;
  readonly #held: HeldLease;
  readonly #watch: AbortWatch;
  readonly #forget: () => void;

  constructor(desk: TurnDesk, options: OpenTurnOptions) {
    const { caller, lease, onAbort } = options;
    const { snapshotId } = lease;
    this.lease = lease;
    this.#desk = desk;
    this.#options = options;
    this.#held = desk.keeper.hold(caller, lease, options);
    this.#watch = desk.watches.watch({ caller, snapshotId, onAbort });
    this.log = this.#openLog();
    this.#forget = desk.live.add(caller, snapshotId, { log: this.log, abort: onAbort });
  }

  async settle({ pending, aborting, heads }: SettleTurnOptions): Promise<SettledTurn> {
    const { lease, log } = this;
    const { store, clock, expiryMs } = this.#desk;
    const patience = { clock, forMs: expiryMs };
    try {
      const closed = log && (log.closeNow() ?? (await untilAnswered(() => log.close(), patience)));
      const request: SettleRequest = {
        pending: outcome(pending, closed),
        aborting: outcome(aborting, closed) as SettleRequest["aborting"],
        heads,
      };
      const answer = await untilAnswered(() => store.turns.settle(this.#options.caller, lease, request), patience);
      if (!answer.ok) throw takenOver(lease);
      const written = answer.turn.status === "aborted" && pending.status !== "aborted" ? "aborting" : "pending";
      closed?.ended(request[written].events);
      return { turn: answer.turn, position: closed?.lastPosition };
    } finally {
      this.abandon();
    }
  }

  abandon(): void {
    this.#held.release();
    this.#watch.stop();
    this.#forget();
    this.log?.stop();
  }

  #openLog(): TurnLog | undefined {
    const { store, clock, expiryMs, log } = this.#desk;
    const { caller, lease, turn } = this.#options;
    if (store.events === undefined) return undefined;
    return createTurnLog({
      events: store.events,
      caller,
      lease,
      clock,
      leaseMs: expiryMs,
      lastSeq: turn.lastSeq,
      flushMs: log.flushMs,
      batchSize: log.batchSize,
      onAppended: (answer) => this.#onAppended(answer),
    });
  }

  #onAppended(answer: Fenced): void {
    const { onAbort, onLost } = this.#options;
    this.#watch.answered();
    if (!answer.ok) {
      onLost();
      return;
    }
    this.#held.renewed();
    if (answer.turn.status === "aborting") onAbort();
  }
}

const NO_EVENTS: EventBatch = { firstSeq: 1, events: [] };

function outcome({ status, result, content, event }: TurnEnding, log: ClosedLog | undefined): Outcome {
  return {
    status,
    result: encodeTurnResult(result),
    ...(content === undefined ? {} : { content }),
    events: log === undefined ? NO_EVENTS : log.endWith(event.type, event.data),
    ...(result.finishReason === "interrupted" ? { waiting: true } : {}),
  };
}

function takenOver({ snapshotId }: Lease): AgentError {
  return new AgentError(
    "ABORTED",
    `Turn ${snapshotId} was closed or taken over by another process while this one was silent. Nothing of it was saved here.`,
    { details: { snapshotId } },
  );
}
