import type { Caller, Clock, Store } from "@agents/schema/port";
import { keepAlive } from "../clock/keep-alive.ts";

export interface LookoutOptions {
  readonly store: Pick<Store, "hints">;
  readonly caller: Caller;
  readonly snapshotId: string;
  readonly clock: Clock;
  /** How often to look without a hint, in milliseconds: hints may be lost. */
  readonly pollMs: number;
}

export interface Lookout {
  /**
   * Resolves when it is worth looking again, after `atMostMs` at the latest; the process stays alive until then. Rejects
   * with the signal's reason when it is aborted. One wait at a time.
   */
  again(wait?: { readonly signal?: AbortSignal | undefined; readonly atMostMs?: number }): Promise<void>;
  /** The same as a hint, from within this process. */
  wake(): void;
  stop(): void;
}

/**
 * Waits for changes of a row without missing one: hints flow before it resolves, and a hint between two waits counts for
 * the next. Look once after it resolves, then after each `again()`. Works without hints, at the pace of the poll.
 */
export async function openLookout(options: LookoutOptions): Promise<Lookout> {
  const { store, caller, snapshotId, clock, pollMs } = options;
  let hinted = false;
  let wake: (() => void) | undefined;
  const hint = (): void => {
    hinted = true;
    wake?.();
  };
  const stopWatch = await store.hints?.watch(caller, snapshotId, hint);
  return {
    wake: hint,
    again({ signal, atMostMs = Number.POSITIVE_INFINITY } = {}) {
      return new Promise<void>((resolve, reject) => {
        signal?.throwIfAborted();
        const letGo = keepAlive();
        const finish = (end: () => void): void => {
          letGo();
          cancelPoll();
          signal?.removeEventListener("abort", stop);
          wake = undefined;
          hinted = false;
          end();
        };
        const stop = (): void => finish(() => reject(signal?.reason));
        wake = () => finish(resolve);
        const cancelPoll = clock.setTimer(Math.min(pollMs, atMostMs), () => wake?.());
        signal?.addEventListener("abort", stop, { once: true });
        if (hinted) wake();
      });
    },
    stop() {
      wake = undefined;
      // Nobody waits for a watch to end, and one that cannot be ended gives hints that nobody hears.
      stopWatch?.().catch(() => {});
    },
  };
}
