import type { StateChain, StateFigures, TurnMeta } from "@agents/schema/port";
import type { StoredState } from "../snapshot/encode-state.ts";
import { loadState } from "../snapshot/load-state.ts";
import type { HeldState } from "../snapshot/state-cache.ts";
import { hashOfParts, measureState, totalBytes } from "../snapshot/state-parts.ts";

export interface ParentStateOptions {
  /** What the store was told that this process holds. */
  readonly held: HeldState | undefined;
  /** The row whose state is wanted, or that its child starts from. */
  readonly turn: TurnMeta;
  readonly chain: StateChain;
}

/**
 * The state that a row stands for: its own, or that of the nearest ancestor that has one. Undefined where no row of the
 * chain has any. Throws DATA_LOSS when the chain does not lead to a state.
 */
export function parentState<Custom>(options: ParentStateOptions): StoredState<Custom> | undefined {
  const { held, turn, chain } = options;
  if (chain.rows.length === 0 && chain.knownId === undefined) return undefined;
  const known = chain.knownId === held?.snapshotId ? held?.stored : undefined;
  // A row that failed before it saved anything has no figures of its own: they are an ancestor's, which was not sent.
  const figures = turn.state ?? (chain.rows.length === 0 ? known?.figures : undefined);
  if (figures !== undefined) return loadState({ chain, figures, known }) as StoredState<Custom>;
  return recount(loadState({ chain, figures: NO_FIGURES, known }), chain, known) as StoredState<Custom>;
}

const NO_FIGURES: StateFigures = { stateHash: "", messagesDigest: "", stateBytes: 0, loadBytes: 0, loadRows: 0 };

function recount({ state }: StoredState, chain: StateChain, known: StoredState | undefined): StoredState {
  const parts = measureState(state);
  const rowBytes = chain.rows.reduce((sum, row) => sum + bytesOf(row), 0);
  const figures = {
    stateHash: hashOfParts(parts),
    messagesDigest: parts.messages.digest,
    stateBytes: totalBytes(state, parts),
    loadBytes: (known?.figures.loadBytes ?? 0) + rowBytes,
    loadRows: (known?.figures.loadRows ?? 0) + chain.rows.length,
  };
  return { state, parts, figures };
}

function bytesOf(row: StateChain["rows"][number]): number {
  if ("json" in row) return Buffer.byteLength(row.json);
  return Buffer.byteLength(JSON.stringify(row.kind === "value" ? row.value : row.operations));
}
