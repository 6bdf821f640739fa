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

/** The error body of the resource routes. */
export interface ResourceError {
  error: string;
  code: Status;
  details?: unknown;
}

export function toResourceError(error: unknown): ResourceError {
  const { status, message, ...rest } = toWireError(error);
  return { error: message, code: status, ...rest };
}

/** Total, as `fromWireError` is. */
export function fromResourceError(value: unknown): AgentError {
  const { error, code, details } = (typeof value === "object" && value !== null ? value : {}) as Partial<ResourceError>;
  return fromWireError({ status: code, message: error, details });
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

/** Total: a thrown value can be a revoked proxy, or have a getter that throws. */
function messageOf(error: unknown): string {
  try {
    if (isError(error)) return String(error.message || error.name);
    if (typeof error === "string" && error !== "") return error;
  } catch {
    // Said below.
  }
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

/**
 * An Error that slipped into details keeps its message and loses the rest (stack, own fields). Looked up in its holder,
 * because an error's own `toJSON` has already run by the time its value is passed here.
 */
function withoutErrors(this: unknown, key: string, value: unknown): unknown {
  const raw = (this as Record<string, unknown>)[key];
  return isError(raw) ? { message: messageOf(raw) } : value;
}

/** Errors of another realm too. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}
