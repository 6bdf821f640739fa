import { EMPTY_MESSAGES, extendMessages, stateHash } from "@agents/schema/hash";
import { diff } from "@agents/schema/patch";
import type { StateContent, StateFigures } from "@agents/schema/port";

/** A conversation's state, as far as the kit needs one. */
export interface TestState {
  readonly sessionId: string;
  readonly messages: readonly unknown[];
  readonly custom?: unknown;
  readonly artifacts: readonly unknown[];
}

/** A state as the runtime hands it to a store, and the state itself. */
export interface TestContent extends StateContent {
  readonly value: TestState;
}

/** The state one turn later: `text` was said. */
export function stateAfter(before: TestState | undefined, sessionId: string, text: string): TestState {
  const messages = [...(before?.messages ?? []), { role: "user", content: [{ text }] }];
  return { artifacts: [], ...before, sessionId, messages };
}

/**
 * A checkpoint: loading it reads the whole state, and one row.
 *
 * @param parent What the turn started from, if it started from anything.
 */
export function fullContent(state: TestState, parent?: TestContent): TestContent {
  const json = JSON.stringify(state);
  return contentOf(state, parent, { kind: "full", json, loadBytes: Buffer.byteLength(json), loadRows: 1 });
}

/** A patch against the parent's state: loading it reads what loading the parent does, and this row. */
export function patchContent(state: TestState, parent: TestContent): TestContent {
  const json = JSON.stringify(diff(parent.value, state));
  const loadBytes = parent.loadBytes + Buffer.byteLength(json);
  return contentOf(state, parent, { kind: "patch", json, loadBytes, loadRows: parent.loadRows + 1 });
}

/** The figures alone, as `TurnMeta.state` gives them back. */
export function figuresOf(content: StateFigures): StateFigures {
  const { stateHash, messagesDigest, stateBytes, loadBytes, loadRows } = content;
  return { stateHash, messagesDigest, stateBytes, loadBytes, loadRows };
}

function contentOf(
  state: TestState,
  parent: TestContent | undefined,
  written: Pick<StateContent, "kind" | "json" | "loadBytes" | "loadRows">,
): TestContent {
  const whole = JSON.stringify(state);
  return {
    ...written,
    stateHash: stateHash(state),
    messagesDigest: extendMessages(EMPTY_MESSAGES, state.messages),
    stateBytes: Buffer.byteLength(whole),
    full: () => whole,
    value: deepFreeze(state),
    ...(parent === undefined ? {} : { operations: deepFreeze(diff(parent.value, state)) }),
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
