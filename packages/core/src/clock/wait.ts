import type { Clock } from "@agents/schema/port";

/** Resolves after so many milliseconds. Rejects with the signal's reason when it is aborted before. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const done = (): void => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const stop = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.setTimer(ms, done);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
