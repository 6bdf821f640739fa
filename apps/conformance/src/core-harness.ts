import { randomUUID } from "node:crypto";
import { createAgents, NO_TELEMETRY } from "@agents/core";
import { AgentError } from "@agents/schema/error";
import type { AgentContext, Store } from "@agents/schema/port";
import type { Harness } from "@agents/testing/conformance";
import { CUSTOM_AGENTS } from "./custom-agents.ts";
import type { HarnessAgent } from "./harness-agent.ts";
import { PROMPT_AGENTS } from "./prompt-agents.ts";
import { RULE_AGENTS } from "./rule-agents.ts";

const AGENTS: Readonly<Record<string, HarnessAgent>> = { ...CUSTOM_AGENTS, ...PROMPT_AGENTS, ...RULE_AGENTS };

/** Core as the implementation under test, each case on a store of its own. */
export function createCoreHarness(createStore: () => Promise<Store>): Harness {
  return async ({ agent: name, settled, model }) => {
    const harnessAgent = AGENTS[name];
    if (harnessAgent === undefined) throw unknownAgent(name);
    const store = harnessAgent.stored ? await createStore() : undefined;
    // Cases name their sessions alike, and some stores are on one server: each case is a tenant of its own.
    const scope = randomUUID();
    const caller = ({ subject }: AgentContext) => ({ scope, ...(subject === undefined ? {} : { owner: subject }) });
    const agents = createAgents({ telemetry: NO_TELEMETRY, caller, ...(store === undefined ? {} : { store }) });
    const options = settled ? ({ resumeFrom: "settled" } as const) : {};
    return {
      agent: harnessAgent.define({ agents, model, options }),
      close: async () => store?.close(),
    };
  };
}

function unknownAgent(name: string): AgentError {
  const known = Object.keys(AGENTS).join(", ");
  return new AgentError("NOT_FOUND", `There is no harness agent ${JSON.stringify(name)}; there are ${known}.`);
}
