import { AgentError } from "@agents/schema/error";
import type { StateChain } from "@agents/schema/port";
import { loadState } from "../kit/load-state.ts";

/** What an answer says apart from how a store keeps it: no times, versions or cursors, and states instead of chains. */
export function comparable(value: unknown, knownStates: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, knownStates));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, field]) => field !== undefined && !isIncidental(name, value));
  return Object.fromEntries(
    fields.map(([name, field]) =>
      name === "chain"
        ? ["state", loadState(field as StateChain, knownStates)]
        : [name, comparable(field, knownStates)],
    ),
  );
}

/** The answer, or the status of the error. */
export async function answerOf(perform: () => Promise<unknown>): Promise<unknown> {
  try {
    return await perform();
  } catch (error) {
    if (AgentError.is(error)) return { thrown: error.status };
    throw error;
  }
}

const INCIDENTAL: ReadonlySet<string> = new Set(["createdAt", "updatedAt", "heartbeatAt", "version", "cursor"]);

/** Whether a live row shows the figures of its progress is left to the store. */
function isIncidental(name: string, owner: object): boolean {
  if (INCIDENTAL.has(name)) return true;
  return name === "state" && "status" in owner && (owner.status === "pending" || owner.status === "aborting");
}
