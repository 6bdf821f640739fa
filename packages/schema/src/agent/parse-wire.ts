import type * as z from "zod";
import { AgentError } from "../error/index.ts";
import { formatPointer, type PointerToken, refuseTooDeep, shortened } from "../json/index.ts";

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
 * fit and whose details list the others as `issues`, also for nesting so deep that a recursive schema could not follow.
 * The value is not changed.
 */
export function parseWire<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  options: ParseWireOptions,
): z.output<Schema> {
  refuseDeepNesting(value, options);
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
  refuseDeepNesting(value, options);
  const result = await schema.safeParseAsync(value);
  if (result.success) return result.data;
  throw invalidArgument(result.error, options);
}

function refuseDeepNesting(value: unknown, { what }: ParseWireOptions): void {
  try {
    walk(value, []);
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    throw new AgentError("INVALID_ARGUMENT", `Invalid ${what}: ${error.message}.`, { details: error.details });
  }
}

function walk(value: unknown, path: PointerToken[]): void {
  if (typeof value !== "object" || value === null) return;
  refuseTooDeep(path);
  for (const key of Object.keys(value)) {
    path.push(key);
    walk((value as Record<string, unknown>)[key], path);
    path.pop();
  }
}

function invalidArgument(error: z.ZodError, { what }: ParseWireOptions): AgentError {
  const issues: WireIssue[] = [];
  for (const issue of error.issues) {
    if (issues.length >= MAX_ISSUES) break;
    collect(issue, [], issues);
  }
  const { path, message } = issues[0] ?? { path: "", message: "does not fit its schema" };
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see details)` : "";
  return new AgentError("INVALID_ARGUMENT", `Invalid ${what}${path === "" ? "" : ` at ${path}`}: ${message}${more}`, {
    details: { issues },
  });
}

/** A union says only that nothing matched; the branch that got furthest says why. */
function collect(issue: z.core.$ZodIssue, parent: readonly PropertyKey[], into: WireIssue[]): void {
  if (into.length >= MAX_ISSUES) return;
  const path = [...parent, ...issue.path];
  const best = issue.code === "invalid_union" ? furthest(issue.errors) : [];
  if (best.length === 0)
    into.push({ path: shortened(formatPointer(path.map(String))), message: shortened(issue.message) });
  for (const inner of best) collect(inner, path, into);
}

function furthest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  let best: readonly z.core.$ZodIssue[] = [];
  let reached = -1;
  for (const branch of branches) {
    for (const { path } of branch) {
      if (path.length <= reached) continue;
      reached = path.length;
      best = branch;
    }
  }
  return best;
}
