import type { Caller, CallerLease, Clock, Fenced, Lease, TurnStore } from "@agents/schema/port";

export interface LeaseTiming {
  /** How often a live turn says so, in milliseconds. @default 20_000 */
  readonly heartbeatMs: number;
  /** Silence after which another process may take the turn, in milliseconds. More than twice `heartbeatMs`. @default 60_000 */
  readonly expiryMs: number;
}

export interface LeaseKeeperOptions extends LeaseTiming {
  readonly turns: Pick<TurnStore, "heartbeat">;
  readonly clock: Clock;
}

export interface LeaseHolder {
  /** The row is `aborting`: somebody asked for the turn to stop. May be called more than once. */
  onAbort(): void;
  /**
   * The turn is not ours any more, or may not be: its epoch was taken over, its row is gone, or the store could not be
   * reached for as long as the lease lasts. Called once; whatever the turn writes from now on may be refused.
   */
  onLost(): void;
}

export interface HeldLease {
  /** Another write has renewed the lease: an append, for one. */
  renewed(): void;
  release(): void;
}

export interface LeaseKeeper {
  hold(caller: Caller, lease: Lease, holder: LeaseHolder): HeldLease;
  /** Leases held now. */
  readonly size: number;
}

interface Held extends CallerLease {
  readonly holder: LeaseHolder;
  renewedAt: number;
}

/**
 * Renews all leases of a process with one call per tick. A tick that fails is not an error by itself: the next one may succeed before the lease ends.
 */
export function createLeaseKeeper({ turns, clock, heartbeatMs, expiryMs }: LeaseKeeperOptions): LeaseKeeper {
  const all = new Set<Held>();
  /** Left running when the last lease is released: the next one needs it, and an empty tick does nothing. */
  let waiting = false;

  function schedule(): void {
    if (waiting || all.size === 0) return;
    waiting = true;
    clock.setTimer(untilNextTick(), () => {
      waiting = false;
      if (all.size > 0) void tick().finally(schedule);
    });
  }

  /** While the store is away, the first lease that ends is noticed when it ends, and not a heartbeat later. */
  function untilNextTick(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { renewedAt } of all) first = Math.min(first, renewedAt);
    return Math.max(0, Math.min(heartbeatMs, first + expiryMs - clock.now()));
  }

  async function tick(): Promise<void> {
    const held = [...all];
    // The lease counts from before the call: by the store's clock it may end sooner than our answer arrives.
    const asked = clock.now();
    let answers: readonly Fenced[];
    try {
      answers = await turns.heartbeat(held, expiryMs);
    } catch {
      for (const one of held) if (clock.now() - one.renewedAt >= expiryMs) lose(one);
      return;
    }
    for (const [index, one] of held.entries()) apply(one, answers[index], asked);
  }

  function apply(held: Held, answer: Fenced | undefined, asked: number): void {
    if (!all.has(held)) return;
    if (!answer?.ok) {
      lose(held);
      return;
    }
    held.renewedAt = asked;
    if (answer.turn.status === "aborting") held.holder.onAbort();
  }

  function lose(held: Held): void {
    if (!all.delete(held)) return;
    held.holder.onLost();
  }

  return {
    get size() {
      return all.size;
    },
    hold(caller, lease, holder) {
      const held: Held = { caller, lease, holder, renewedAt: clock.now() };
      all.add(held);
      schedule();
      return {
        renewed() {
          held.renewedAt = clock.now();
        },
        release() {
          all.delete(held);
        },
      };
    },
  };
}
