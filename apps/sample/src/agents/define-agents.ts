import { type Agents, type AgentsOptions, createAgents } from "@agents/core";
import type { Model, Store } from "@agents/schema/port";
import { defineAssistant } from "./assistant.ts";
import { defineBanker } from "./banker.ts";
import { defineReporter, type ReporterOptions } from "./reporter.ts";
import { defineResearcher } from "./researcher.ts";

export interface SampleOptions {
  readonly store: Store;
  readonly model: Model;
  readonly reporter?: ReporterOptions;
  /** How long a turn outlives its worker unseen. @default that of createAgents */
  readonly lease?: AgentsOptions["lease"];
}

/** The agents of the app. */
export function defineSampleAgents({ store, model, reporter, lease }: SampleOptions) {
  const agents: Agents = createAgents({ store, model, ...(lease === undefined ? {} : { lease }) });
  return {
    assistant: defineAssistant(agents),
    banker: defineBanker(agents),
    researcher: defineResearcher(agents, model),
    reporter: defineReporter(agents, reporter),
  };
}
