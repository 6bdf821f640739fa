import { AgentError } from "../error/index.ts";

/** A refusal that gives the reason alone; `applyPatch` adds which operation it was. */
export function invalidArgument(reason: string, details?: unknown): AgentError {
  return new AgentError("INVALID_ARGUMENT", reason, { details });
}
