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
  /** The first heartbeat that was sent and has not been answered. */
  askedAt: number | undefined;
}

/**
 * Renews all leases of a process with one call per tick. A tick that fails is not an error by itself: the next one may
 * succeed before the lease ends. Neither is one that is not answered: the next one does not wait for it.
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
      for (const one of all) if (clock.now() >= overAt(one)) lose(one);
      if (all.size > 0) void tick();
      schedule();
    });
  }

  /** While the store is away, the first lease that ends is noticed when it ends, and not a heartbeat later. */
  function untilNextTick(): number {
    const now = clock.now();
    let next = now + heartbeatMs;
    for (const one of all) {
      const end = one.renewedAt + expiryMs;
      next = Math.min(next, end > now ? end : (one.askedAt ?? now) + heartbeatMs);
    }
    return next - now;
  }

  /**
   * When a lease is over for want of an answer. A process that was stopped for longer than the lease lasts asks first:
   * nobody may have taken its turns.
   */
  function overAt({ renewedAt, askedAt }: Held): number {
    return askedAt === undefined ? Number.POSITIVE_INFINITY : Math.max(renewedAt + expiryMs, askedAt + heartbeatMs);
  }

  async function tick(): Promise<void> {
    const held = [...all];
    // The lease counts from before the call: by the store's clock it may end sooner than our answer arrives.
    const asked = clock.now();
    for (const one of held) one.askedAt ??= asked;
    try {
      const answers = await turns.heartbeat(held, expiryMs);
      for (const [index, one] of held.entries()) apply(one, answers[index], asked);
    } catch {
      for (const one of held) {
        one.askedAt = undefined;
        if (clock.now() - one.renewedAt >= expiryMs) lose(one);
      }
    }
  }

  function apply(held: Held, answer: Fenced | undefined, asked: number): void {
    if (!all.has(held)) return;
    if (!answer?.ok) {
      lose(held);
      return;
    }
    held.askedAt = undefined;
    held.renewedAt = Math.max(held.renewedAt, asked);
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
      const held: Held = { caller, lease, holder, renewedAt: clock.now(), askedAt: undefined };
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
