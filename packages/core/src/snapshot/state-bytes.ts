import type { StateValue } from "../state/state-value.ts";

/** UTF-8 bytes of each part of a state's JSON, kept so that a change is counted by what changed. */
export interface StateBytes {
  /** Of all messages and the commas between them. */
  readonly messages: number;
  /** -1 when there is no custom state. */
  readonly custom: number;
  readonly artifacts: number;
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export function measureState(state: StateValue): StateBytes {
  return {
    messages: listBytes(state.messages),
    custom: state.custom === undefined ? -1 : jsonBytes(state.custom),
    artifacts: listBytes(state.artifacts),
  };
}

/** Bytes of elements and the commas between them. */
export function listBytes(elements: readonly unknown[]): number {
  return elements.reduce<number>((sum, element) => sum + jsonBytes(element), Math.max(0, elements.length - 1));
}

/** Bytes of `JSON.stringify(state)`. */
export function totalBytes({ sessionId }: StateValue, { messages, custom, artifacts }: StateBytes): number {
  const members = `{"sessionId":,"messages":[],"artifacts":[]}`.length;
  return members + jsonBytes(sessionId) + messages + artifacts + (custom < 0 ? 0 : `,"custom":`.length + custom);
}
