import { parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type * as z from "zod";

/** Checks what the caller gave. Throws INVALID_ARGUMENT naming the path. Without a schema everything fits. */
export function checkGiven<T>(schema: z.ZodType<T> | undefined, value: unknown, what: string): T {
  if (schema === undefined) return value as T;
  try {
    return parseWire(schema, value, { what });
  } catch (error) {
    throw AgentError.is(error) ? error : unusable(what, error);
  }
}

/** Checks what the action itself made: its own contract, so it is INTERNAL, naming the path, with the same details. */
export function checkMade<T>(schema: z.ZodType<T> | undefined, value: unknown, what: string): T {
  try {
    return checkGiven(schema, value, what);
  } catch (error) {
    if (!AgentError.is(error) || error.status !== "INVALID_ARGUMENT") throw error;
    throw new AgentError("INTERNAL", error.message, { details: error.details, cause: error });
  }
}

/** Order is promised, so nothing here may wait: an asynchronous check is a mistake in the definition. */
function unusable(what: string, error: unknown): AgentError {
  const reason = error instanceof Error ? error.message : "the schema threw";
  return new AgentError(
    "INTERNAL",
    `Cannot check ${what}: ${reason} Schemas of bidi actions must be synchronous and must not throw.`,
    { cause: error },
  );
}
