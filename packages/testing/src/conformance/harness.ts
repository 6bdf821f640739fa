import type { AgentApi, Model } from "@agents/schema/port";

/** What a case asks of the implementation under test. */
export interface HarnessRequest {
  /** One of the harness agents that the format names. */
  readonly agent: string;
  /** Failed and aborted snapshots can be continued from: the case requires a capability. */
  readonly settled: boolean;
  /** What prompt agents call: it answers as the step at hand says. */
  readonly model: Model;
}

/** An agent for one case, on a store of its own. */
export interface OpenedAgent {
  readonly agent: AgentApi;
  close(): Promise<void>;
}

/** The implementation under test. Throws for an agent that it does not have. */
export type Harness = (request: HarnessRequest) => Promise<OpenedAgent>;
