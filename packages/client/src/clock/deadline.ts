import type { Clock } from "@agents/schema/port";

export interface Deadline {
  /** Aborted with the reason of the caller's signal, or with the error of the deadline. */
  readonly signal: AbortSignal;
  /** To be called when the work is over. */
  stop(): void;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly ms: number;
  /** Ends the work as well. */
  readonly signal: AbortSignal | undefined;
  readonly tooLate: () => unknown;
}

/** A signal for work that may take only so long. */
export function startDeadline({ clock, ms, signal, tooLate }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  const cancel = clock.setTimer(ms, () => controller.abort(tooLate()));
  return {
    signal: controller.signal,
    stop() {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
