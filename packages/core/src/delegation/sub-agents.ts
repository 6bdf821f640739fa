import type { AgentApi, Tool } from "@agents/schema/port";
import { type AgentToolOptions, agentTool } from "./agent-tool.ts";

/** Agents that another one may ask, as its tools: one for each, under its own name. */
export function subAgents(
  agents: readonly AgentApi[],
  options: Omit<AgentToolOptions, "name" | "description"> = {},
): Tool[] {
  return agents.map((agent) => agentTool(agent, options));
}
