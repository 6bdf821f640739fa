import { type Agent, type AgentOptions, defineTool, wordedAgent } from "@agents/core";
import { AgentError } from "@agents/schema/error";
import type { Tool } from "@agents/schema/port";
import * as z from "zod";
import type { HarnessAgent, HarnessTools } from "./harness-agent.ts";

/** Agents whose loop is core's; the model answers as the case says. */
export const PROMPT_AGENTS: Readonly<Record<string, HarnessAgent>> = {
  promptAgent: prompted(() => [], { isStored: false }),
  promptAgentWithStore: prompted(() => []),
  promptAgentWithTools: prompted(() => [testTool], { isStored: false }),
  promptAgentWithInterrupt: prompted(() => [interruptTool]),
  promptAgentWithRestartTool: prompted(() => [restartTool]),
  promptAgentWithToolsAndStore: prompted(() => [testTool, flakyTool()]),
};

/** @param makeTools Called once per case: some tools remember how often they were called. */
export function prompted(
  makeTools: () => readonly Tool[],
  { isStored = true, own = {} }: { isStored?: boolean; own?: Partial<AgentOptions> } = {},
): HarnessAgent {
  return {
    stored: isStored,
    define: ({ agents, model, options }: HarnessTools): Agent =>
      agents.register(wordedAgent({ name: "agent", model, tools: makeTools(), ...own, ...options } as never)),
  };
}

const testTool = defineTool({ name: "testTool" }, () => "tool called");

const interruptTool = defineTool(
  {
    name: "interruptTool",
    inputSchema: z.object({ query: z.string() }),
    outputSchema: z.object({ answer: z.string() }),
  },
  (_input, { interrupt }) => interrupt(),
);

const restartTool = defineTool(
  {
    name: "restartTool",
    inputSchema: z.object({ action: z.string() }),
    outputSchema: z.object({ result: z.string() }),
  },
  ({ action }, { resumed, interrupt }) => (resumed === undefined ? interrupt() : { result: `confirmed: ${action}` }),
);

function flakyTool(): Tool {
  let calls = 0;
  return defineTool({ name: "flakyTool" }, () => {
    calls++;
    if (calls === 1) throw new AgentError("UNAVAILABLE", "flaky tool failed");
    return "tool recovered";
  });
}
