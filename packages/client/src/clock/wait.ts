import type { Clock } from "@agents/schema/port";

/** Resolves after so many milliseconds, or as soon as the signal is aborted. Never rejects. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.setTimer(ms, done);
    signal.addEventListener("abort", done, { once: true });
  });
}
