import { type AgentInit, AgentInitSchema, parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentCore } from "./agent-core.ts";

/**
 * Throws for a start that cannot be: INVALID_ARGUMENT for what does not fit its schema or itself, FAILED_PRECONDITION for
 * what does not fit the agent's state management. The custom state inside is checked later: its misfit is an outcome.
 */
export function checkInit<Custom, Status>(
  { spec, stored }: Pick<AgentCore<Custom, Status>, "spec" | "stored">,
  { sessionId, snapshotId, state }: AgentInit<Custom>,
): AgentInit<Custom> {
  const { name } = spec;
  if (sessionId === undefined && snapshotId === undefined && state === undefined) return {};
  const given = parseWire(AgentInitSchema, { sessionId, snapshotId, state }, { what: `init of agent '${name}'` });
  const id = sessionId !== undefined ? "sessionId" : snapshotId !== undefined ? "snapshotId" : undefined;
  if (state !== undefined && id !== undefined)
    throw new AgentError(
      "INVALID_ARGUMENT",
      `Cannot start agent '${name}' from both 'state' and '${id}': the state is the whole start. Send one of them.`,
    );
  if (state !== undefined && stored !== undefined)
    throw new AgentError(
      "FAILED_PRECONDITION",
      `Cannot send 'state' to agent '${name}': its store "${stored.desk.store.name}" has it. Send a sessionId or a snapshotId.`,
    );
  if (id !== undefined && stored === undefined)
    throw new AgentError(
      "FAILED_PRECONDITION",
      `Cannot use '${id}' with agent '${name}': it has no store, so the client carries the state. Send the 'state' of the last output.`,
    );
  return given as AgentInit<Custom>;
}
