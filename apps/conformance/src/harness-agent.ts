import type { Agent, Agents } from "@agents/core";
import type { Model } from "@agents/schema/port";

export interface HarnessTools {
  readonly agents: Agents;
  readonly model: Model;
  /** Added to the options of every agent. */
  readonly options: { readonly resumeFrom?: "settled" };
}

/** An agent that case files name. */
export interface HarnessAgent {
  /** Whether it is server-managed. */
  readonly stored: boolean;
  define(tools: HarnessTools): Agent;
}
