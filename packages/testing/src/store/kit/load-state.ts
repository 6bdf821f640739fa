import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import type { StateChain, StateRow } from "@agents/schema/port";

/**
 * Rebuilds a state from what a store sent and from the states that the caller holds, by snapshot id. Undefined when
 * there is none. Throws when the chain cannot be replayed: it starts from a state that the caller does not hold, or from
 * a patch without a base.
 */
export function loadState(chain: StateChain, knownStates: ReadonlyMap<string, unknown> = new Map()): unknown {
  let state: unknown;
  if (chain.knownId !== undefined) {
    if (!knownStates.has(chain.knownId)) {
      throw new Error(`The chain starts from ${chain.knownId}, which the caller does not hold.`);
    }
    state = knownStates.get(chain.knownId);
  }
  for (const row of chain.rows) state = afterRow(state, row);
  return state;
}

function afterRow(state: unknown, row: StateRow): unknown {
  if (row.kind === "value") return row.value;
  if (row.kind === "full") return JSON.parse(row.json);
  if (state === undefined) throw new Error(`The chain has a patch, ${row.snapshotId}, and no state before it.`);
  return applyPatch(state, "operations" in row ? row.operations : (JSON.parse(row.json) as PatchOperation[]));
}
