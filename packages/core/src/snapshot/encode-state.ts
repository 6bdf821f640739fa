import { diff, type PatchOperation } from "@agents/schema/patch";
import type { StateContent, StateFigures } from "@agents/schema/port";
import type { State } from "../state/state.ts";
import type { StateValue } from "../state/state-value.ts";
import { hashOfParts, measureChange, measureState, type StateParts, totalBytes } from "./state-parts.ts";

/** What a row costs to load besides its bytes, in bytes. */
const ROW_COST = 256;

/** A state that is stored, with what it takes to store the next one by its change alone. */
export interface StoredState<Custom = unknown> {
  readonly state: State<Custom>;
  readonly figures: StateFigures;
  readonly parts: StateParts;
}

export interface StateChange<Custom = unknown> {
  readonly state: State<Custom>;
  /** The state it was made from; undefined for the first of a session. */
  readonly parent: StoredState<Custom> | undefined;
  /** Messages were only appended since the parent. The session knows; finding out would cost the whole history. */
  readonly appendOnly: boolean;
}

/**
 * The content to write for a state. A patch against the parent, unless loading the chain would then read more than twice
 * what the state itself takes; decided from figures that the parent's row carries, so nothing is read to decide.
 * Cost is that of what changed: custom state and artifacts are hashed and counted as a whole when they did, history never.
 */
export function encodeState<Custom>(change: StateChange<Custom>): {
  content: StateContent;
  stored: StoredState<Custom>;
} {
  const { state, parent } = change;
  const parts = parent === undefined ? measureState(state) : measureChange(state, parent, change);
  const stateBytes = totalBytes(state, parts);
  const operations = parent && stateOperations(change, parent);
  const patch = operations && JSON.stringify(operations);
  const { kind, loadBytes, loadRows } = chooseKind({ patch, parent, stateBytes });
  const messagesDigest = parts.messages.digest;
  const figures: StateFigures = { stateHash: hashOfParts(parts), messagesDigest, stateBytes, loadBytes, loadRows };
  const content = new EncodedState(state, { kind, patch, operations, figures });
  return { content, stored: { state, figures, parts } };
}

interface Encoding {
  readonly kind: StateContent["kind"];
  readonly patch: string | undefined;
  readonly operations: readonly PatchOperation[] | undefined;
  readonly figures: StateFigures;
}

/** What is as long as the history is made when a store asks for it. */
class EncodedState implements StateContent {
  readonly kind: StateContent["kind"];
  readonly #state: State;
  readonly stateHash: string;
  readonly messagesDigest: string;
  readonly stateBytes: number;
  readonly loadBytes: number;
  readonly loadRows: number;
  declare readonly operations?: readonly PatchOperation[];
  readonly #patch: string | undefined;

  constructor(state: State, { kind, patch, operations, figures }: Encoding) {
    this.kind = kind;
    this.#state = state;
    this.stateHash = figures.stateHash;
    this.messagesDigest = figures.messagesDigest;
    this.stateBytes = figures.stateBytes;
    this.loadBytes = figures.loadBytes;
    this.loadRows = figures.loadRows;
    if (operations !== undefined) this.operations = operations;
    this.#patch = patch;
  }

  get value(): StateValue {
    return this.#state.value;
  }

  get json(): string {
    return this.kind === "patch" && this.#patch !== undefined ? this.#patch : this.full();
  }

  full(): string {
    return JSON.stringify(this.#state.value);
  }
}

/** The whole history is looked at only where it was rewritten. */
function stateOperations({ state, appendOnly }: StateChange, { state: before }: StoredState): PatchOperation[] {
  const messages: PatchOperation[] = appendOnly
    ? state.history.from(before.history.length).map((value) => ({ op: "add", path: "/messages/-", value }))
    : below("/messages", diff(before.messages, state.messages));
  if (state.custom !== before.custom) messages.push(...below("/custom", diff(before.custom, state.custom)));
  if (state.artifacts !== before.artifacts)
    messages.push(...below("/artifacts", diff(before.artifacts, state.artifacts)));
  return messages;
}

function below(path: string, operations: readonly PatchOperation[]): PatchOperation[] {
  return operations.map((operation) => ({ ...operation, path: path + operation.path }));
}

/** The checkpoint rule: architecture/runtime.md. */
function chooseKind({
  patch,
  parent,
  stateBytes,
}: {
  patch: string | undefined;
  parent: StoredState | undefined;
  stateBytes: number;
}): Pick<StateContent, "kind" | "loadBytes" | "loadRows"> {
  if (parent !== undefined && patch !== undefined) {
    const loadBytes = parent.figures.loadBytes + Buffer.byteLength(patch);
    const loadRows = parent.figures.loadRows + 1;
    if (loadBytes + ROW_COST * loadRows <= 2 * (stateBytes + ROW_COST)) return { kind: "patch", loadBytes, loadRows };
  }
  return { kind: "full", loadBytes: stateBytes, loadRows: 1 };
}
