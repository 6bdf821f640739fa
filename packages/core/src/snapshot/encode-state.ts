import { EMPTY_MESSAGES, extendMessages, stateHash } from "@agents/schema/hash";
import { diff, type PatchOperation } from "@agents/schema/patch";
import type { StateContent, StateFigures } from "@agents/schema/port";
import type { StateValue } from "../state/state-value.ts";
import { jsonBytes, listBytes, measureState, type StateBytes, totalBytes } from "./state-bytes.ts";

/** What a row costs to load besides its bytes, in bytes. */
const ROW_COST = 256;

/** A state that is stored, with what it takes to store the next one by its change alone. */
export interface StoredState<Custom = unknown> {
  readonly state: StateValue<Custom>;
  readonly figures: StateFigures;
  readonly bytes: StateBytes;
}

export interface StateChange<Custom = unknown> {
  readonly state: StateValue<Custom>;
  /** The state it was made from; undefined for the first of a session. */
  readonly parent: StoredState<Custom> | undefined;
  /** Messages were only appended since the parent. The session knows; finding out would cost the whole history. */
  readonly appendOnly: boolean;
}

/**
 * The content to write for a state. A patch against the parent, unless loading the chain would then read more than twice
 * what the state itself takes; decided from figures that the parent's row carries, so nothing is read to decide.
 * Cost is that of what changed (custom state and artifacts count as a whole when they did).
 */
export function encodeState<Custom>(change: StateChange<Custom>): {
  content: StateContent;
  stored: StoredState<Custom>;
} {
  const { state, parent } = change;
  const bytes = measureChange(change);
  const stateBytes = totalBytes(state, bytes);
  const operations = parent && stateOperations(change, parent);
  const patch = operations && JSON.stringify(operations);
  const chain = patch === undefined ? undefined : chainFigures(patch, parent, stateBytes);
  const messagesDigest = digestMessages(change);
  const figures: StateFigures = {
    stateHash: stateHash({ messages: messagesDigest, custom: state.custom, artifacts: state.artifacts }),
    messagesDigest,
    stateBytes,
    ...(chain ?? { loadBytes: stateBytes, loadRows: 1 }),
  };
  const full = () => JSON.stringify(state);
  const content: StateContent = {
    ...figures,
    kind: chain === undefined ? "full" : "patch",
    json: chain === undefined || patch === undefined ? full() : patch,
    full,
    value: state,
    ...(operations === undefined ? {} : { operations }),
  };
  return { content, stored: { state, figures, bytes } };
}

/** The whole history is looked at only where it was rewritten. */
function stateOperations({ state, appendOnly }: StateChange, { state: before }: StoredState): PatchOperation[] {
  const messages: PatchOperation[] = appendOnly
    ? state.messages.slice(before.messages.length).map((value) => ({ op: "add", path: "/messages/-", value }))
    : below("/messages", diff(before.messages, state.messages));
  return [
    ...messages,
    ...below("/custom", diff(before.custom, state.custom)),
    ...below("/artifacts", diff(before.artifacts, state.artifacts)),
  ];
}

function below(path: string, operations: readonly PatchOperation[]): PatchOperation[] {
  return operations.map((operation) => ({ ...operation, path: path + operation.path }));
}

function digestMessages({ state, parent, appendOnly }: StateChange): string {
  if (parent === undefined || !appendOnly) return extendMessages(EMPTY_MESSAGES, state.messages);
  return extendMessages(parent.figures.messagesDigest, state.messages.slice(parent.state.messages.length));
}

function measureChange({ state, parent, appendOnly }: StateChange): StateBytes {
  if (parent === undefined || !appendOnly) return measureState(state);
  const { state: before, bytes } = parent;
  const added = state.messages.slice(before.messages.length);
  const comma = added.length > 0 && before.messages.length > 0 ? 1 : 0;
  return {
    messages: bytes.messages + listBytes(added) + comma,
    custom: state.custom === before.custom ? bytes.custom : state.custom === undefined ? -1 : jsonBytes(state.custom),
    artifacts: state.artifacts === before.artifacts ? bytes.artifacts : listBytes(state.artifacts),
  };
}

function chainFigures(
  patch: string,
  parent: StoredState | undefined,
  stateBytes: number,
): Pick<StateFigures, "loadBytes" | "loadRows"> | undefined {
  if (parent === undefined) return undefined;
  const loadBytes = parent.figures.loadBytes + Buffer.byteLength(patch);
  const loadRows = parent.figures.loadRows + 1;
  return loadBytes + ROW_COST * loadRows > 2 * (stateBytes + ROW_COST) ? undefined : { loadBytes, loadRows };
}
