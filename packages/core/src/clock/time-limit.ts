import type { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";

export interface TimeLimitOptions {
  /** Ends the work as well. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** In milliseconds. @default none */
  readonly timeoutMs?: number | undefined;
  /** The reason when time is up. */
  readonly tooLong: (timeoutMs: number) => AgentError;
}

/** A signal for work that may take only so long. To be stopped when the work is over. */
export class TimeLimit {
  readonly #options: TimeLimitOptions;
  readonly #controller = new AbortController();
  readonly #cancelTimer: (() => void) | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.#options.signal.reason);

  constructor(options: TimeLimitOptions) {
    const { signal, clock, timeoutMs, tooLong } = options;
    this.#options = options;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
    if (timeoutMs !== undefined)
      this.#cancelTimer = clock.setTimer(timeoutMs, () => this.#controller.abort(tooLong(timeoutMs)));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The work's outcome, or at once the reason to stop: work that ignores its signal cannot hold anybody up. */
  race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    });
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }
}
