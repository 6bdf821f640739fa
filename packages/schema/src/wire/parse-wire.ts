import type * as z from "zod";
import { AgentError } from "../error/index.ts";
import { formatPointer } from "../json/index.ts";

export interface ParseWireOptions {
  /** Names the value in the message: "input", "body of POST /agents/{name}". */
  what: string;
}

export interface WireIssue {
  /** JSON Pointer to the value that does not fit; empty for the whole. */
  path: string;
  message: string;
}

/** More issues than this help nobody, and a hostile body can cause thousands. */
const MAX_ISSUES = 20;

/**
 * Checks a value that came from outside. Throws INVALID_ARGUMENT whose message names the first place that does not
 * fit and whose details list the others as `issues`. The value is not changed.
 */
export function parseWire<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  options: ParseWireOptions,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidArgument(result.error, options);
}

/** The same for schemas that do asynchronous checks, as an application's state schema may. */
export async function parseWireAsync<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  options: ParseWireOptions,
): Promise<z.output<Schema>> {
  const result = await schema.safeParseAsync(value);
  if (result.success) return result.data;
  throw invalidArgument(result.error, options);
}

function invalidArgument(error: z.ZodError, { what }: ParseWireOptions): AgentError {
  const issues = error.issues.flatMap((issue) => flatten(issue, [])).slice(0, MAX_ISSUES);
  const { path, message } = issues[0] ?? { path: "", message: "does not fit its schema" };
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see details)` : "";
  return new AgentError("INVALID_ARGUMENT", `Invalid ${what}${path === "" ? "" : ` at ${path}`}: ${message}${more}`, {
    details: { issues },
  });
}

/** A union says only that nothing matched; the branch that got furthest says why. */
function flatten(issue: z.core.$ZodIssue, parent: readonly PropertyKey[]): WireIssue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const best = issue.errors.reduce((a, b) => (depth(b) > depth(a) ? b : a));
    if (best.length > 0) return best.flatMap((inner) => flatten(inner, path));
  }
  return [{ path: formatPointer(path.map(String)), message: issue.message }];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}
