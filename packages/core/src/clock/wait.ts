import type { Clock } from "@agents/schema/port";
import { keepAlive } from "./keep-alive.ts";

/** Resolves after so many milliseconds, until when the process stays alive. Rejects with the signal's reason when it is aborted before. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const letGo = keepAlive();
    const done = (): void => {
      letGo();
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const stop = (): void => {
      letGo();
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.setTimer(ms, done);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
