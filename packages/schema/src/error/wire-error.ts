import { AgentError } from "./agent-error.ts";
import { isStatus, type Status } from "./status.ts";

/** An error as it travels: three fields, never a stack, never a raw thrown value. */
export interface WireError {
  status: Status;
  message: string;
  details?: unknown;
}

/** What an error that is none of ours says to the other side; the real message stays in logs and `cause`. */
export const MASKED_MESSAGE = "Internal error.";

/** Keeps an AgentError as it is; anything else becomes INTERNAL with the original as `cause`, its message kept. */
export function toAgentError(error: unknown): AgentError {
  if (AgentError.is(error)) return error;
  return new AgentError("INTERNAL", messageOf(error), { cause: error });
}

/**
 * The wire form of an AgentError. Anything else is masked: its message may name hosts, files or queries, so only
 * INTERNAL leaves. Where a message is meant to be seen (a turn that failed), pass it through `toAgentError` first.
 */
export function toWireError(error: unknown): WireError {
  if (!AgentError.is(error)) return { status: "INTERNAL", message: MASKED_MESSAGE };
  const details = jsonOnly(error.details);
  return { status: error.status, message: error.message, ...(details === undefined ? {} : { details }) };
}

/** Total: whatever a peer sent, the result is an AgentError that says as much as could be understood. */
export function fromWireError(value: unknown): AgentError {
  const { status, message, details } = (typeof value === "object" && value !== null ? value : {}) as Partial<WireError>;
  return new AgentError(
    isStatus(status) ? status : "UNKNOWN",
    typeof message === "string" && message !== "" ? message : "The peer sent an error without a message.",
    details === undefined ? {} : { details },
  );
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  // A thrown object may hold anything; its text does not become a message that people see.
  return `Something that is not an Error was thrown (${error === null ? "null" : typeof error}).`;
}

/** Details are the caller's JSON; a value that JSON cannot hold is left out rather than failing the error path. */
function jsonOnly(details: unknown): unknown {
  if (details === undefined) return undefined;
  try {
    const text = JSON.stringify(details, withoutErrors);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An Error that slipped into details keeps its message and loses the rest (stack, own fields). */
function withoutErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { message: value.message } : value;
}
