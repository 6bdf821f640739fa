import { AgentNameSchema, parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { checkPolicy } from "../invocation/snapshot-policy.ts";
import type { AgentOptions } from "./agent-options.ts";

/** Options that mean something only where turns are rows. */
const NEEDS_STORE = ["concurrency", "ifForked", "snapshot"] as const satisfies readonly (keyof AgentOptions)[];

const CHOICES = {
  stateManagement: ["server", "client"],
  resumeFrom: ["completed", "settled"],
  concurrency: ["reject", "queue", "interrupt", "fork"],
  ifForked: ["newest", "reject"],
} as const satisfies Partial<Record<keyof AgentOptions, readonly string[]>>;

/**
 * Throws INVALID_ARGUMENT for options that cannot be, and FAILED_PRECONDITION for those that contradict each other,
 * quoting both: at definition, not at the first turn.
 */
export function checkOptions<Custom, Status>(options: AgentOptions<Custom, Status>, hasStore: boolean): void {
  parseWire(AgentNameSchema, options.name, { what: "name of an agent" });
  const what = `Agent '${options.name}'`;
  for (const [option, allowed] of Object.entries(CHOICES)) {
    const value = options[option as keyof typeof CHOICES];
    if (value !== undefined && !(allowed as readonly unknown[]).includes(value)) {
      throw new AgentError(
        "INVALID_ARGUMENT",
        `${what}: ${option} is ${JSON.stringify(value)}; it takes ${allowed.map((choice) => JSON.stringify(choice)).join(", ")}.`,
      );
    }
  }
  if (options.snapshot !== undefined) checkPolicy(options.snapshot, what);
  checkLimits(options, what);
  checkStateManagement(options, { what, hasStore });
  checkInitialCustom(options, what);
}

function checkStateManagement<Custom, Status>(
  options: AgentOptions<Custom, Status>,
  { what, hasStore }: { what: string; hasStore: boolean },
): void {
  const { stateManagement, store } = options;
  if (stateManagement === "client" && store !== undefined)
    throw contradiction(what, `stateManagement is "client"`, `store is "${store.name}"`);
  if (stateManagement === "server" && !hasStore)
    throw contradiction(what, `stateManagement is "server"`, "neither the agent nor createAgents has a store");
  if (hasStore && stateManagement !== "client") return;
  for (const option of NEEDS_STORE) {
    const value = options[option];
    if (value === undefined) continue;
    const shown = typeof value === "function" ? "a function" : JSON.stringify(value);
    throw contradiction(what, `${option} is ${shown}`, "the client carries the state (there is no store)");
  }
}

function checkLimits<Custom, Status>({ limits = {} }: AgentOptions<Custom, Status>, what: string): void {
  for (const limit of ["timeMs", "modelCalls", "tokens"] as const) {
    const value = limits[limit];
    if (value === undefined || value > 0) continue;
    throw new AgentError("INVALID_ARGUMENT", `${what}: limits.${limit} is ${value}; it must be more than 0.`);
  }
}

/** A function is for a caller that is not here yet; a value can be checked now. */
function checkInitialCustom<Custom, Status>(options: AgentOptions<Custom, Status>, what: string): void {
  const { initialCustom, stateSchema } = options;
  if (initialCustom === undefined || stateSchema === undefined || typeof initialCustom === "function") return;
  try {
    parseWire(stateSchema, initialCustom, { what: `${what}: initialCustom, by its stateSchema,` });
  } catch (error) {
    throw AgentError.is(error) ? error : notSynchronous(what, error);
  }
}

function notSynchronous(what: string, cause: unknown): AgentError {
  const reason = cause instanceof Error ? cause.message : "it threw";
  return new AgentError(
    "INVALID_ARGUMENT",
    `${what}: stateSchema cannot be used: ${reason} It must be synchronous, and must not throw.`,
    { cause },
  );
}

function contradiction(what: string, one: string, other: string): AgentError {
  return new AgentError("FAILED_PRECONDITION", `${what}: ${one}, but ${other}. Drop one of the two.`);
}
