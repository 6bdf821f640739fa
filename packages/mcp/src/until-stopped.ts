import type { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";

export interface StopOptions {
  /** Each of them ends the work; it rejects with that signal's reason. */
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly clock: Pick<Clock, "setTimer">;
  /** In milliseconds, or Infinity. */
  readonly timeoutMs: number;
  readonly tooLong: () => AgentError;
}

/**
 * The work's outcome, or at once the reason to stop. The signal that the work gets lives no longer than the work: the
 * SDK listens to the signal of a request for ever, and would cancel requests that were answered long ago. Its reason
 * goes to the server, so it is not the caller's.
 */
export function untilStopped<T>(
  { signals, clock, timeoutMs, tooLong }: StopOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborted = signals.find((signal) => signal?.aborted);
  if (aborted !== undefined) return Promise.reject(aborted.reason);
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const releases: (() => void)[] = [];
    const release = (): void => {
      for (const undo of releases.splice(0)) undo();
    };
    const stop = (reason: unknown): void => {
      release();
      reject(reason);
      controller.abort(STOPPED);
    };
    for (const signal of signals) {
      if (signal === undefined) continue;
      const onAbort = (): void => stop(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      releases.push(() => signal.removeEventListener("abort", onAbort));
    }
    if (timeoutMs !== Number.POSITIVE_INFINITY) releases.push(clock.setTimer(timeoutMs, () => stop(tooLong())));
    work(controller.signal).then(resolve, reject).finally(release);
  });
}

const STOPPED = "The client no longer waits for the answer.";
