import { AgentError } from "@agents/schema/error";
import type { AgentApi, Store } from "@agents/schema/port";
import { authorizeCall, type Operation } from "../edge/authenticate.ts";
import type { Exchange } from "../edge/exchange.ts";
import type { Services } from "./services.ts";

/** The agent that the path names, once the caller may use it so. NOT_FOUND, PERMISSION_DENIED. */
export function findAgent(
  { agents, authorize }: Pick<Services, "agents" | "authorize">,
  { params, context, inbound }: Pick<Exchange, "params" | "context" | "inbound">,
  operation: Operation,
): AgentApi | Promise<AgentApi> {
  const name = params["name"] ?? "";
  const agent = agents.get(name);
  if (agent === undefined) {
    throw new AgentError("NOT_FOUND", `There is no agent ${JSON.stringify(name.slice(0, 128))} here.`);
  }
  if (authorize === undefined) return agent;
  const { request } = inbound;
  return authorizeCall(authorize, { name, kind: "agent", operation, context, request }).then(() => agent);
}

/** The store of an agent that runs in this process. */
export function storeOf(agent: AgentApi): Store | undefined {
  const { store } = agent as AgentApi & { readonly store?: Store };
  return typeof store?.health === "function" ? store : undefined;
}

/** Whether a client that was cut off can come back to a turn: its events are logged. */
export function isRejoinable(agent: AgentApi): boolean {
  if (agent.metadata.stateManagement !== "server") return false;
  const store = storeOf(agent);
  // An agent that runs elsewhere does not show its store; whether there is a log is then the other server's matter.
  return store === undefined || store.events !== undefined;
}
