import { AgentError } from "@agents/schema/error";
import { applyPatch, jsonEqual, type PatchOperation } from "@agents/schema/patch";
import type { StateContent } from "@agents/schema/port";
import type { DocumentTurn, SessionDocument } from "@agents/schema/wire";
import { encodeState, type StoredState } from "../snapshot/encode-state.ts";
import { freezeChanged, freezeJson } from "../state/import-json.ts";
import { State } from "../state/state.ts";
import type { StateValue } from "../state/state-value.ts";
import { checkMessage, invalid } from "./session-document.ts";

/**
 * The states of a document, from the oldest on, as a store is given them: made anew, so that sizes and the choice between
 * patch and checkpoint are those of this runtime. Each is hashed. Throws DATA_LOSS, naming the snapshot, for one that is not
 * what its hash says, and INVALID_ARGUMENT with a path for one that cannot be rebuilt.
 */
export function rebuildStates({ session, turns }: SessionDocument): ReadonlyMap<string, StateContent> {
  // Of the turns before: whatever a damaged record says, no way to an ancestor leads in a circle.
  const rows = new Map<string, DocumentTurn>();
  const states = new Map<string, StoredState>();
  const contents = new Map<string, StateContent>();
  turns.forEach((turn, index) => {
    const parent = nearestState(turn, rows, states);
    rows.set(turn.snapshotId, turn);
    if (turn.state === undefined) return;
    const at = `/turns/${index}/state`;
    const value = valueOfTurn(turn, parent, at);
    if (value.sessionId !== session.sessionId) {
      throw invalid(at, `it is a state of session ${JSON.stringify(value.sessionId)}`);
    }
    const { content, stored } = encodeState(changeTo(value, parent, at));
    if (content.stateHash !== turn.state.hash) throw damaged(turn.snapshotId, turn.state.hash, content.stateHash);
    states.set(turn.snapshotId, stored);
    contents.set(turn.snapshotId, content);
  });
  return contents;
}

function nearestState(
  { parentId }: DocumentTurn,
  rows: ReadonlyMap<string, DocumentTurn>,
  states: ReadonlyMap<string, StoredState>,
): StoredState | undefined {
  let row = rows.get(parentId ?? "");
  while (row !== undefined && !states.has(row.snapshotId)) row = rows.get(row.parentId ?? "");
  return row && states.get(row.snapshotId);
}

function valueOfTurn({ state }: DocumentTurn, parent: StoredState | undefined, at: string): StateValue {
  if (state === undefined || "full" in state) return state?.full as StateValue;
  if (parent === undefined) throw invalid(`${at}/patch`, "the state that it changes is not in the document");
  try {
    return applyPatch(parent.state.value, state.patch as readonly PatchOperation[]) as StateValue;
  } catch (cause) {
    throw invalid(`${at}/patch`, "it does not apply to the state before it", cause);
  }
}

/** The state as what it adds to its parent's, wherever it only adds: the rest is shared, and neither checked nor hashed again. */
function changeTo(value: StateValue, parent: StoredState | undefined, at: string): Parameters<typeof encodeState>[0] {
  if (!Array.isArray(value.messages) || !Array.isArray(value.artifacts)) {
    throw invalid(at, "it is no state: it has no list of messages, or none of artifacts");
  }
  const before = parent?.state;
  const old = before?.messages ?? [];
  const shared = sharedLength(old, value.messages);
  const appendOnly = shared === old.length;
  const added = value.messages
    .slice(appendOnly ? shared : 0)
    .map((message, index) => freezeJson(checkMessage(message, `${at}/messages/${index}`)));
  const custom = sameCustom(before?.custom, value.custom);
  const artifacts =
    before !== undefined && jsonEqual(before.artifacts, value.artifacts)
      ? before.artifacts
      : freezeJson(value.artifacts);
  const start = appendOnly ? before : undefined;
  const state = start === undefined ? State.of(Object.freeze({ ...value, messages: added, artifacts })) : start;
  const history = start === undefined ? state.history : start.history.append(added);
  return { state: new State(value.sessionId, history, custom, artifacts), parent, appendOnly };
}

function sameCustom(before: unknown, after: unknown): unknown {
  if (after === undefined) return undefined;
  return before !== undefined && jsonEqual(before, after) ? before : freezeChanged(after);
}

/** How many messages both begin with. A patch shares them; a checkpoint has its own that are equal. */
function sharedLength(before: readonly unknown[], after: readonly unknown[]): number {
  let length = 0;
  while (
    length < before.length &&
    length < after.length &&
    (before[length] === after[length] || jsonEqual(before[length], after[length]))
  ) {
    length += 1;
  }
  return length;
}

function damaged(snapshotId: string, expected: string, actual: string): AgentError {
  return new AgentError(
    "DATA_LOSS",
    `The state of snapshot ${snapshotId} is not what was saved: its hash is ${actual}, and its record says ${expected}.`,
    { details: { snapshotId, expected, actual } },
  );
}
