import type { AgentError } from "@agents/schema/error";

/** Why the work has to stop. The first cause counts. */
export interface StopCause {
  /** How the turn ends: somebody wanted it to stop, or it was not allowed to go on. */
  readonly ending: "aborted" | "failed";
  /** The row is not ours any more: nothing can be written to it. */
  readonly lost?: boolean;
  readonly error: AgentError;
}

/** One signal with several sources: the caller's, an abort by id, a lost lease, a limit. */
export class StopSwitch {
  readonly #onStop: (() => void) | undefined;
  #cause: StopCause | undefined;
  #controller: AbortController | undefined;
  readonly #waiting = new Set<(error: AgentError) => void>();

  /** @param onStop Called once, before those who wait for the work hear of it. */
  constructor(onStop?: () => void) {
    this.#onStop = onStop;
  }

  get cause(): StopCause | undefined {
    return this.#cause;
  }

  /** Made when somebody asks for it: most turns end without. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cause !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#cause.error);
    return this.#controller.signal;
  }

  stop(cause: StopCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#onStop?.();
    this.#controller?.abort(cause.error);
    for (const stopped of this.#waiting) stopped(cause.error);
    this.#waiting.clear();
  }

  /**
   * The work's outcome, or as soon as there is a cause what `stopped` makes of it, by default a rejection: work that
   * ignores the signal cannot hold up the end.
   */
  race<T>(work: Promise<T>, stopped?: (error: AgentError) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onStop = (error: AgentError): void => (stopped === undefined ? reject(error) : resolve(stopped(error)));
      if (this.#cause !== undefined) onStop(this.#cause.error);
      else this.#waiting.add(onStop);
      work.then(
        (value) => {
          this.#waiting.delete(onStop);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(onStop);
          reject(error);
        },
      );
    });
  }
}
