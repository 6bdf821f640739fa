import type { Usage } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import { keepAlive } from "../clock/keep-alive.ts";
import { addUsage } from "./add-usage.ts";

/** What one turn may use. A limit that is reached fails the turn and says which it was. */
export interface TurnLimits {
  /** Milliseconds from the start of the turn; then DEADLINE_EXCEEDED. @default no limit */
  readonly timeMs?: number;
  /** Model calls; one more is RESOURCE_EXHAUSTED. @default no limit */
  readonly modelCalls?: number;
  /** Tokens of all model calls, in and out; once they are used up, RESOURCE_EXHAUSTED. @default no limit */
  readonly tokens?: number;
}

/** Counts what a turn uses, and says when it is too much. */
export class TurnMeter {
  readonly #limits: TurnLimits;
  readonly #clock: Clock;
  readonly #endsAt: number;
  readonly #stopTimer: (() => void) | undefined;
  #usage: Usage = {};
  /** Call by call: some name their total, some do not. */
  #tokens = 0;

  /** @param onTimeout Time is up. */
  constructor(limits: TurnLimits, clock: Clock, onTimeout: (error: AgentError) => void) {
    const { timeMs } = limits;
    this.#limits = limits;
    this.#clock = clock;
    this.#endsAt = timeMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + timeMs;
    if (timeMs === undefined) return;
    const letGo = keepAlive();
    const cancelTimer = clock.setTimer(timeMs, () => onTimeout(outOfTime(timeMs)));
    this.#stopTimer = () => {
      letGo();
      cancelTimer();
    };
  }

  get usage(): Usage {
    return this.#usage;
  }

  recordUsage(used: Usage): void {
    this.#usage = addUsage(this.#usage, { ...used, modelCalls: used.modelCalls ?? 1 });
    this.#tokens += tokensOf(used);
    const { modelCalls = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = this.#limits;
    const calls = this.#usage.modelCalls ?? 0;
    if (calls > modelCalls) throw usedUp("modelCalls", modelCalls, calls);
    if (this.#tokens > tokens) throw usedUp("tokens", tokens, this.#tokens);
  }

  remaining(): { readonly timeMs: number; readonly modelCalls: number; readonly tokens: number } {
    const { modelCalls = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = this.#limits;
    return {
      timeMs: Math.max(0, this.#endsAt - this.#clock.now()),
      modelCalls: Math.max(0, modelCalls - (this.#usage.modelCalls ?? 0)),
      tokens: Math.max(0, tokens - this.#tokens),
    };
  }

  /** Stops the clock of the time limit. */
  stop(): void {
    this.#stopTimer?.();
  }
}

function tokensOf({ totalTokens, inputTokens = 0, outputTokens = 0 }: Usage): number {
  return totalTokens ?? inputTokens + outputTokens;
}

function outOfTime(allowed: number): AgentError {
  return new AgentError(
    "DEADLINE_EXCEEDED",
    `The turn took longer than its limit of ${allowed} ms. Raise limits.timeMs, or split the work.`,
    { details: { limit: "timeMs", allowed } },
  );
}

function usedUp(limit: "modelCalls" | "tokens", allowed: number, used: number): AgentError {
  return new AgentError(
    "RESOURCE_EXHAUSTED",
    `The turn has used ${used} ${limit === "tokens" ? "tokens" : "model calls"} of the ${allowed} that it may. Raise limits.${limit}, or ask for less.`,
    { details: { limit, allowed, used } },
  );
}
