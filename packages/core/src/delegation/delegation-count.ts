import { AgentError } from "@agents/schema/error";
import type { AgentTurn } from "../session/agent-session.ts";
import { currentWork } from "../session/session-context.ts";
import { ToolCorrection } from "../tool/tool-correction.ts";

export interface DelegationLimits {
  readonly maxDepth: number;
  readonly maxCalls: number;
}

/**
 * How often an agent was asked, and how deep. A limit is told to the model, which then answers by itself: agents that ask
 * each other in circles end, and the turn does not fail for it.
 */
export class DelegationCount {
  readonly #agent: string;
  readonly #limits: DelegationLimits;
  readonly #calls = new WeakMap<AgentTurn, number>();

  constructor(agent: string, limits: DelegationLimits) {
    this.#agent = agent;
    this.#limits = limits;
    for (const [name, value] of Object.entries(limits)) {
      if (!(value >= 1))
        throw new AgentError("INVALID_ARGUMENT", `Agent '${agent}' as a tool: ${name} is ${value}; it is at least 1.`);
    }
  }

  /** Counts a call. Throws a ToolCorrection where it is one too many. */
  add(): void {
    const work = currentWork();
    const { maxDepth, maxCalls } = this.#limits;
    if (work !== undefined && work.around.depth + 1 > maxDepth)
      throw new ToolCorrection(
        `Agent '${this.#agent}' cannot be asked here: agents ask each other ${maxDepth} deep at most. Answer yourself.`,
      );
    const { turn } = work ?? {};
    if (turn === undefined) return;
    const calls = (this.#calls.get(turn) ?? 0) + 1;
    if (calls > maxCalls)
      throw new ToolCorrection(
        `Agent '${this.#agent}' was asked ${maxCalls} times in this turn, and cannot be asked again. Answer with what is there.`,
      );
    this.#calls.set(turn, calls);
  }
}
