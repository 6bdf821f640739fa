import { AgentError } from "@agents/schema/error";
import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import type { StateChain, StateFigures, StateRow } from "@agents/schema/port";
import { freezeJson } from "../state/import-json.ts";
import { State } from "../state/state.ts";
import type { StateValue } from "../state/state-value.ts";
import type { StoredState } from "./encode-state.ts";
import { partsOfStored, type StateParts } from "./state-parts.ts";

export interface LoadOptions<Custom> {
  readonly chain: StateChain;
  /** Of the row that the chain ends at, or of the nearest ancestor that has a state. */
  readonly figures: StateFigures;
  /** The state this process holds of `chain.knownId`. */
  readonly known: StoredState<Custom> | undefined;
}

/**
 * The state that a chain leads to. All patches are applied in one go, so the cost is that of the bytes read. Throws
 * DATA_LOSS when the chain does not lead to a state: a row that does not decode, a patch that does not apply.
 */
export function loadState<Custom>({ chain, figures, known }: LoadOptions<Custom>): StoredState<Custom> {
  if (chain.rows.length === 0) {
    if (known === undefined) throw broken(chain, "it has no rows, and the known state is not held here");
    return known;
  }
  let base: unknown = known?.state.value;
  let pending: PatchOperation[] = [];
  for (const row of chain.rows) {
    const step = decodeRow(chain, row);
    if (step.type === "state") {
      base = step.value;
      pending = [];
    } else pending = pending.length === 0 ? [...step.operations] : pending.concat(step.operations);
  }
  if (base === undefined) throw broken(chain, "it starts with a patch, and the known state is not held here");
  const value = freezeJson(apply(chain, base, pending)) as StateValue<Custom>;
  return new LoadedState(State.of(value), figures);
}

class LoadedState<Custom> implements StoredState<Custom> {
  readonly state: State<Custom>;
  readonly figures: StateFigures;
  #parts: StateParts | undefined;

  constructor(state: State<Custom>, figures: StateFigures) {
    this.state = state;
    this.figures = figures;
  }

  /** Only the next turn's settle asks for them; a reader should not pay for hashing what it reads. */
  get parts(): StateParts {
    this.#parts ??= partsOfStored(this.state, this.figures);
    return this.#parts;
  }
}

type Step = { type: "state"; value: unknown } | { type: "patch"; operations: readonly PatchOperation[] };

function decodeRow(chain: StateChain, row: StateRow): Step {
  switch (row.kind) {
    case "value":
      return { type: "state", value: row.value };
    case "operations":
      return { type: "patch", operations: row.operations };
    case "full":
      return { type: "state", value: parse(chain, row) };
    case "patch":
      return { type: "patch", operations: parse(chain, row) as PatchOperation[] };
  }
}

function parse(chain: StateChain, row: { snapshotId: string; json: string }): unknown {
  try {
    return JSON.parse(row.json);
  } catch (cause) {
    throw broken(chain, `row ${row.snapshotId} is not JSON`, cause);
  }
}

function apply(chain: StateChain, base: unknown, operations: readonly PatchOperation[]): unknown {
  try {
    return operations.length === 0 ? base : applyPatch(base, operations);
  } catch (cause) {
    throw broken(chain, "its patches do not apply", cause);
  }
}

function broken(chain: StateChain, reason: string, cause?: unknown): AgentError {
  const snapshotId = chain.rows.at(-1)?.snapshotId ?? chain.knownId;
  return new AgentError("DATA_LOSS", `The stored state of snapshot ${snapshotId} cannot be rebuilt: ${reason}.`, {
    details: { snapshotId },
    cause,
  });
}
