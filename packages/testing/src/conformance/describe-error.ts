import { AgentError, toAgentError } from "@agents/schema/error";

export interface ThrownError {
  readonly status: string;
  readonly message: string;
}

export function describeError(error: unknown): ThrownError {
  if (AgentError.is(error)) return { status: error.status, message: error.message };
  return { status: toAgentError(error).status, message: error instanceof Error ? error.message : String(error) };
}
