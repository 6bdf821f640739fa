import type { Caller, Clock, Store } from "@agents/schema/port";

export interface WatchedTurn {
  readonly caller: Caller;
  readonly snapshotId: string;
  /** The row is `aborting`. May be called more than once. */
  readonly onAbort: () => void;
}

export interface AbortWatch {
  /** The store answered a write of ours and told the status with it: hints up to now are dealt with. */
  answered(): void;
  stop(): void;
}

export interface AbortWatches {
  /** Watches a turn until it is told to stop. */
  watch(turn: WatchedTurn): AbortWatch;
}

/**
 * A turn is watched from this age on: most of those that are over sooner would pay two more round trips for nothing. An
 * abort from this process reaches it at once in any case.
 */
const WATCH_AFTER_MS = 25;
/** Our own writes raise hints too. A hint so soon after one waits this long, for the next answer to tell the status. */
const OWN_ECHO_MS = 250;

/**
 * Looks at rows when a hint says that they changed, so that an abort from another process reaches the turn at once. The
 * hints of the turn's own writes cost no round trip: the answer of the next write tells the status as well.
 */
export function createAbortWatches({ store, clock }: { store: Store; clock: Clock }): AbortWatches {
  const young = new Set<TurnWatch>();
  let waiting = false;

  function grown(): void {
    waiting = false;
    for (const watch of young) watch.start();
    young.clear();
  }

  return {
    watch(turn) {
      const watch = new TurnWatch(turn, { store, clock, onStop: () => young.delete(watch) });
      if (store.hints === undefined) return watch;
      young.add(watch);
      // One timer for all: it is left running when a turn ends, because the next one will need it.
      if (!waiting) clock.setTimer(WATCH_AFTER_MS, grown);
      waiting = true;
      return watch;
    },
  };
}

class TurnWatch implements AbortWatch {
  readonly #turn: WatchedTurn;
  readonly #means: { readonly store: Store; readonly clock: Clock; readonly onStop: () => void };
  #stopped = false;
  #answeredAt: number;
  #cancelTimer: (() => void) | undefined;
  #stopHints: (() => Promise<void>) | undefined;

  constructor(turn: WatchedTurn, means: { store: Store; clock: Clock; onStop: () => void }) {
    this.#turn = turn;
    this.#means = means;
    this.#answeredAt = means.clock.now();
  }

  start(): void {
    const { caller, snapshotId } = this.#turn;
    this.#means.store.hints
      ?.watch(caller, snapshotId, () => this.#hinted())
      .then(
        (stop) => {
          this.#stopHints = stop;
          if (this.#stopped) this.#end();
          // Whatever happened before hints were flowing.
          else this.#look();
        },
        // A store that is away is the lease keeper's to notice.
        () => {},
      );
  }

  answered(): void {
    this.#answeredAt = this.#means.clock.now();
    this.#cancel();
  }

  stop(): void {
    this.#stopped = true;
    this.#means.onStop();
    this.#cancel();
    this.#end();
  }

  #hinted(): void {
    if (this.#stopped || this.#cancelTimer !== undefined) return;
    const { clock } = this.#means;
    const quiet = clock.now() - this.#answeredAt;
    if (quiet >= OWN_ECHO_MS) this.#look();
    else this.#cancelTimer = clock.setTimer(OWN_ECHO_MS - quiet, () => this.#look());
  }

  #look(): void {
    this.#cancel();
    if (this.#stopped) return;
    const { caller, snapshotId, onAbort } = this.#turn;
    this.#means.store.turns.read(caller, { snapshotId }, "meta").then(
      (row) => {
        if (!this.#stopped && row?.turn.status === "aborting") onAbort();
      },
      () => {},
    );
  }

  #cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #end(): void {
    this.#stopHints?.().catch(() => {});
    this.#stopHints = undefined;
  }
}
