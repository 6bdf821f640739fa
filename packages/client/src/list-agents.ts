import type { AgentDescription } from "@agents/schema/agent";
import type { CallOptions } from "@agents/schema/port";
import { AGENT_PATHS } from "@agents/schema/route";
import { call } from "./transport/call.ts";
import { resolveSettings, type ServerOptions } from "./transport/settings.ts";

/** The agents of a server. What it says of one can be given to `remoteAgent` as it is. */
export async function listAgents(server: ServerOptions, options: CallOptions = {}): Promise<AgentDescription[]> {
  const request = { ...options, method: "GET", path: AGENT_PATHS.listAgents } as const;
  const { agents } = await call<{ agents: AgentDescription[] }>(resolveSettings(server), request);
  return agents;
}
