import type { AgentContext } from "@agents/schema/port";

/** Whether an agent can work: found out before its first turn, and not again once it can. */
export class Readiness {
  readonly #check: (context: AgentContext) => Promise<unknown>;
  #isKnown = false;

  constructor(check: (context: AgentContext) => Promise<unknown>) {
    this.#check = check;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Rejects with why it cannot. What is missing may be registered later, so a failure is not remembered. */
  async check(context: AgentContext): Promise<void> {
    if (this.#isKnown) return;
    await this.#check(context);
    this.#isKnown = true;
  }
}
