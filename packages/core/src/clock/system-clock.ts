import type { Clock } from "@agents/schema/port";

/** Longer waits than this (24.8 days) are no delay for `setTimeout`: it fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's time. Its timers do not keep the process alive; a wait may be of any length. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, callback) {
    let timeout: NodeJS.Timeout;
    const wait = (left: number): void => {
      const step = Math.min(left, LONGEST_TIMEOUT_MS);
      timeout = setTimeout(() => (left > step ? wait(left - step) : callback()), step);
      timeout.unref();
    };
    wait(ms);
    return () => clearTimeout(timeout);
  },
};
