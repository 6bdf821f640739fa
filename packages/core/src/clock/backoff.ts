import { AgentError, type Status, toAgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import { systemClock } from "./system-clock.ts";
import { wait } from "./wait.ts";

export interface RetryOptions {
  /** Attempts in all, the first one included. @default 3 */
  readonly attempts?: number;
  /** Wait before the second attempt, in milliseconds; doubled for each that follows. @default 500 */
  readonly delayMs?: number;
  /** Longest wait, in milliseconds. A provider that asks for more is not asked again. @default 30_000 */
  readonly maxDelayMs?: number;
  /** What is worth another attempt. @default UNAVAILABLE, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED */
  readonly statuses?: readonly Status[];
  /** @default the machine's */
  readonly clock?: Clock;
  /** From 0 up to 1: each wait is between half and the whole of its time. @default Math.random */
  readonly random?: () => number;
}

/** What may pass by itself: the service was away, busy, or slow. */
export const RETRYABLE: readonly Status[] = ["UNAVAILABLE", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"];

/**
 * Runs the work again after a failure that may pass, with growing waits; `details.retryAfterMs` of the error, where a
 * provider said so, counts instead. Rejects with the last error, or with the signal's reason.
 *
 * @param mayRepeat Whether the work can be done again, asked after each failure.
 */
export async function withBackoff<T>(
  options: RetryOptions,
  { signal, mayRepeat = () => true }: { readonly signal: AbortSignal; readonly mayRepeat?: () => boolean },
  work: () => Promise<T>,
): Promise<T> {
  const { attempts = 3, clock = systemClock } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || attempt >= attempts || !mayRepeat()) throw error;
      const delay = delayAfter(options, error, attempt);
      if (delay === undefined) throw error;
      await wait(clock, delay, signal);
    }
  }
}

/** Undefined: not worth another attempt. */
function delayAfter(options: RetryOptions, error: unknown, attempt: number): number | undefined {
  const { delayMs = 500, maxDelayMs = 30_000, statuses = RETRYABLE, random = Math.random } = options;
  const { status, details } = toAgentError(error);
  if (!AgentError.is(error) || !statuses.includes(status)) return undefined;
  const asked = (details as { retryAfterMs?: unknown } | undefined)?.retryAfterMs;
  if (typeof asked === "number") return asked <= maxDelayMs ? asked : undefined;
  const whole = Math.min(maxDelayMs, delayMs * 2 ** (attempt - 1));
  return whole * (0.5 + random() / 2);
}
