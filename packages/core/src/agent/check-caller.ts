import { AgentError } from "@agents/schema/error";
import type { Caller } from "@agents/schema/port";

/** As for ids: scope and owner become keys, columns and parts of paths. */
const MAX_LENGTH = 256;
/** `.` and `..` between separators of any system, and what ends or garbles a text somewhere. */
const HOSTILE = /(?:^|[/\\])\.{1,2}(?:$|[/\\])|[\p{Cc}\p{Cs}]/u;

/** Throws INVALID_ARGUMENT for a scope or owner that could be taken for another's: they come from what a request says. */
export function checkCaller(caller: Caller): Caller {
  const { scope, owner } = caller;
  if (scope !== "") checkName("scope", scope);
  if (owner !== undefined) checkName("owner", owner);
  return caller;
}

function checkName(what: "scope" | "owner", value: unknown): void {
  const problem = problemOf(value);
  if (problem === undefined) return;
  throw new AgentError("INVALID_ARGUMENT", `The ${what} of the caller ${problem}.`, { details: { field: what } });
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== "string") return `is ${value === null ? "null" : `of type ${typeof value}`}; it is a string`;
  if (value.length > MAX_LENGTH) return `has ${value.length} characters; it may have ${MAX_LENGTH}`;
  if (HOSTILE.test(value))
    return `is ${JSON.stringify(value)}: it may not have a path segment "." or "..", or a control character`;
  return undefined;
}
