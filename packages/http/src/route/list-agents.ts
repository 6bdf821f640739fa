import type { AgentDescription } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi } from "@agents/schema/port";
import { authorizeCall } from "../edge/authenticate.ts";
import { jsonReply } from "../edge/reply.ts";
import type { RouteHandler, Services } from "./services.ts";

/** `GET /agents`: those that the caller may see. */
export function listAgentsRoute({ agents, authorize }: Services): RouteHandler {
  return async ({ context, inbound }) => {
    const shown: AgentDescription[] = [];
    for (const [name, agent] of agents) {
      try {
        const call = { name, kind: "agent", operation: "describe", context } as const;
        if (authorize !== undefined) await authorizeCall(authorize, { ...call, request: inbound.request });
      } catch (error) {
        if (isHiding(error)) continue;
        throw error;
      }
      shown.push(describe(name, agent));
    }
    return jsonReply({ agents: shown }, { headers: { "cache-control": "no-store" } });
  };
}

function isHiding(error: unknown): boolean {
  return AgentError.is(error) && (error.status === "PERMISSION_DENIED" || error.status === "NOT_FOUND");
}

function describe(name: string, { description, metadata }: AgentApi): AgentDescription {
  return { name, ...(description === undefined ? {} : { description }), metadata };
}
