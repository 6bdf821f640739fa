import { type AgentInput, AgentInputSchema, parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { importJson } from "../state/import-json.ts";
import type { AgentCore } from "./agent-core.ts";

/**
 * Checks an input where it is sent, and freezes it. Throws INVALID_ARGUMENT with the path, and FAILED_PRECONDITION for a detach that the agent cannot carry out.
 */
export function acceptInput<Custom, Status>(
  { spec, stored }: Pick<AgentCore<Custom, Status>, "spec" | "stored">,
  given: AgentInput,
): AgentInput {
  const input = importJson(parseWire(AgentInputSchema, given, { what: `input of agent '${spec.name}'` }), "/input");
  if (input.detach !== true) return input;
  if (stored === undefined) throw cannotDetach(spec.name, "it has no store: the client carries the state");
  const { store } = stored.desk;
  if (store.hints === undefined) throw cannotDetach(spec.name, `its store "${store.name}" has no part "hints"`);
  return input;
}

function cannotDetach(agent: string, reason: string): AgentError {
  return new AgentError("FAILED_PRECONDITION", `Cannot detach from agent '${agent}': ${reason}.`);
}
