import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import { wait } from "../clock/wait.ts";
import { answerWithin } from "./answer-limit.ts";

export interface UntilAnsweredOptions {
  readonly clock: Clock;
  /** How long to go on, in milliseconds: as long as the lease lasts, for one. */
  readonly forMs: number;
  /** Ends the waiting between two attempts. */
  readonly signal?: () => AbortSignal;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Calls the store until it answers. Every method of the port is safe to repeat unchanged, so an answer that was lost
 * (UNAVAILABLE) is asked for again, with growing pauses. Rejects with the last error when time is up, a call that was not
 * answered at all included, and at once with any other.
 */
export function untilAnswered<T>(call: () => Promise<T>, options: UntilAnsweredOptions): Promise<T> {
  const { clock, forMs } = options;
  const started = clock.now();
  return answerWithin(call(), { clock, forMs, failed: (error) => repeat(call, error, { ...options, started }) });
}

async function repeat<T>(
  call: () => Promise<T>,
  first: unknown,
  { clock, forMs, signal, started }: UntilAnsweredOptions & { started: number },
): Promise<T> {
  let error = first;
  for (let pause = FIRST_PAUSE_MS; isAway(error); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const left = started + forMs - clock.now();
    if (left <= 0) break;
    await wait(clock, Math.min(pause, left), signal?.());
    try {
      return await answerWithin(call(), { clock, forMs: Math.max(0, started + forMs - clock.now()) });
    } catch (again) {
      error = again;
    }
  }
  throw error;
}

function isAway(error: unknown): boolean {
  return AgentError.is(error) && error.status === "UNAVAILABLE";
}
