import { setImmediate } from "node:timers/promises";
import type { Clock } from "@agents/schema/port";

export interface ManualClockOptions {
  /** Where time starts, in milliseconds since 1970. @default 1_700_000_000_000 */
  readonly now?: number;
}

export interface ManualClock extends Clock {
  /**
   * Moves time on by `ms`. Timers that fall due run in the order of their time, then of their making, each at its own
   * time; what they start is given the chance to run, and to set further timers, before the next one. Await each call
   * before the next. An error that a timer throws rejects the call, and time stays at that timer.
   */
  advance(ms: number): Promise<void>;
  /** Timers that are set and neither ran nor were cancelled. */
  readonly pendingTimers: number;
}

/** A clock that stands still until the test moves it. */
export function createManualClock({ now: start = 1_700_000_000_000 }: ManualClockOptions = {}): ManualClock {
  let now = start;
  const timers = new Set<Timer>();

  return {
    now: () => now,
    setTimer(ms, callback) {
      const timer = { due: now + Math.max(0, ms), callback };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`Time moves forwards only: advance(${ms}) must be given 0 or more.`);
      const end = now + ms;
      // Also before the first: what the test has just started may be about to set its timer.
      await setImmediate();
      for (let next = firstDue(timers, end); next !== undefined; next = firstDue(timers, end)) {
        timers.delete(next);
        now = Math.max(now, next.due);
        next.callback();
        await setImmediate();
      }
      now = end;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** A set keeps the order of insertion, so of equal times the first made comes first. */
function firstDue(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer;
  }
  return first;
}
