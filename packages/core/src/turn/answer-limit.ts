import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";

export interface AnswerLimit<T> {
  readonly clock: Clock;
  readonly forMs: number;
  /** What to make of a failure. Part of the call, so that one that succeeds costs no promise for it. @default rejects with it */
  readonly failed?: (error: unknown) => Promise<T>;
}

/**
 * The call's outcome, or UNAVAILABLE once it has taken too long: a store that never answers must not hold a turn up for
 * ever. What the call does when it is answered after all, it does.
 */
export function answerWithin<T>(call: Promise<T>, { clock, forMs, failed }: AnswerLimit<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const limits = limitsOf(clock);
    const fail = (error: unknown): void => (failed === undefined ? reject(error) : resolve(failed(error)));
    const open = { until: clock.now() + forMs, giveUp: () => fail(noAnswer(forMs)) };
    limits.add(open);
    call.then(
      (value) => {
        limits.delete(open);
        resolve(value);
      },
      (error: unknown) => {
        limits.delete(open);
        fail(error);
      },
    );
  });
}

interface OpenCall {
  readonly until: number;
  readonly giveUp: () => void;
}

/** One timer for all calls: it is left running when one is answered, because most are, and the next one will need it. */
class AnswerLimits {
  readonly #clock: Clock;
  readonly #open = new Set<OpenCall>();
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(call: OpenCall): void {
    this.#open.add(call);
    this.#wakeAt(call.until);
  }

  delete(call: OpenCall): void {
    this.#open.delete(call);
  }

  #wakeAt(due: number): void {
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#timer?.cancel();
    this.#timer = { due, cancel: this.#clock.setTimer(Math.max(0, due - this.#clock.now()), () => this.#look()) };
  }

  #look(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (const call of this.#open) {
      if (call.until > now) this.#wakeAt(call.until);
      else {
        this.#open.delete(call);
        call.giveUp();
      }
    }
  }
}

const limits = new WeakMap<Clock, AnswerLimits>();

function limitsOf(clock: Clock): AnswerLimits {
  let known = limits.get(clock);
  if (known === undefined) {
    known = new AnswerLimits(clock);
    limits.set(clock, known);
  }
  return known;
}

function noAnswer(forMs: number): AgentError {
  return new AgentError(
    "UNAVAILABLE",
    `The store has not answered for ${forMs} ms. What it was asked to do may have been done all the same.`,
  );
}
