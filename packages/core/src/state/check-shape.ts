import type { Artifact, Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";

const ROLES: ReadonlySet<unknown> = new Set<Message["role"]>(["system", "user", "model", "tool"]);

/**
 * Throws INVALID_ARGUMENT for what is no message, where it is added: in history it would break whoever reads it, for good.
 * What its parts hold is not looked at; that is done where they come from outside.
 *
 * @param at Where the messages go, as a pointer.
 */
export function checkMessages(messages: readonly Message[], at: string): void {
  each(messages, at, (message, place) => {
    if (isObject(message) && ROLES.has(message.role) && isParts(message.content)) return;
    throw refusal(place, "no message", "a role (system, user, model, tool) and a list of parts as its content");
  });
}

/** The same for artifacts. */
export function checkArtifacts(artifacts: readonly Artifact[], at: string): void {
  each(artifacts, at, (artifact, place) => {
    const named = isObject(artifact) && (artifact.name === undefined || typeof artifact.name === "string");
    if (named && isParts(artifact.parts)) return;
    throw refusal(place, "no artifact", "a list of parts, and perhaps a name");
  });
}

function each<T>(list: readonly T[], at: string, check: (one: T, place: string) => void): void {
  if (!Array.isArray(list)) throw refusal(at, "no list", "elements");
  for (const [index, one] of list.entries()) check(one, `${at}/${index}`);
}

function isParts(parts: unknown): boolean {
  return Array.isArray(parts) && parts.every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusal(path: string, what: string, has: string): AgentError {
  return new AgentError("INVALID_ARGUMENT", `The value at "${path}" is ${what}: it has ${has}.`, { details: { path } });
}
