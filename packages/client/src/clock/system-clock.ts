import type { Clock } from "@agents/schema/port";

/** Longer waits than this (24.8 days) are no delay for `setTimeout`: it fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The machine's time. Unlike a server's, its timers keep a Node process alive: a program that waits for a connection to
 * come back has nothing else that would.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, callback) {
    const timeout = setTimeout(callback, Math.min(ms, LONGEST_TIMEOUT_MS));
    return () => clearTimeout(timeout);
  },
};
