import {
  combineDigests,
  digestArtifacts,
  digestCustom,
  EMPTY_MESSAGES,
  type MeasuredDigest,
  measureMessages,
} from "@agents/schema/hash";
import type { State } from "../state/state.ts";

/** Digest and size of each part of a state, kept so that a change is hashed and counted by what changed. */
export interface StateParts {
  readonly messages: MeasuredDigest;
  readonly custom: MeasuredDigest;
  readonly artifacts: MeasuredDigest;
}

export function measureState({ messages, custom, artifacts }: State): StateParts {
  return {
    messages: measureMessages(EMPTY_MESSAGES, messages),
    custom: digestCustom(custom),
    artifacts: digestArtifacts(artifacts),
  };
}

/** The parts after a change: only what differs from `before` is looked at, and of appended messages those alone. */
export function measureChange(
  state: State,
  before: { readonly state: State; readonly parts: StateParts },
  { appendOnly }: { appendOnly: boolean },
): StateParts {
  const { state: old, parts } = before;
  return {
    messages: appendOnly ? appended(state, before) : measureMessages(EMPTY_MESSAGES, state.messages),
    custom: state.custom === old.custom ? parts.custom : digestCustom(state.custom),
    artifacts: state.artifacts === old.artifacts ? parts.artifacts : digestArtifacts(state.artifacts),
  };
}

/**
 * The parts of a state whose whole size and messages' digest are known from its row: history is not looked at, because
 * its size is what the rest leaves.
 */
export function partsOfStored(
  state: State,
  { messagesDigest, stateBytes }: { messagesDigest: string; stateBytes: number },
): StateParts {
  const parts = {
    messages: { digest: messagesDigest, bytes: 0 },
    custom: digestCustom(state.custom),
    artifacts: digestArtifacts(state.artifacts),
  };
  return { ...parts, messages: { digest: messagesDigest, bytes: stateBytes - totalBytes(state, parts) } };
}

export function hashOfParts({ messages, custom, artifacts }: StateParts): string {
  return combineDigests({ messages: messages.digest, custom: custom.digest, artifacts: artifacts.digest });
}

/** UTF-8 bytes of `JSON.stringify(state)`. */
export function totalBytes(state: State, { messages, custom, artifacts }: StateParts): number {
  const members = state.custom === undefined ? MEMBERS : MEMBERS_AND_CUSTOM;
  const id = Buffer.byteLength(JSON.stringify(state.sessionId));
  return members + id + messages.bytes + custom.bytes + artifacts.bytes;
}

const MEMBERS = `{"sessionId":,"messages":[],"artifacts":[]}`.length;
const MEMBERS_AND_CUSTOM = MEMBERS + `,"custom":`.length;

function appended(
  { history }: State,
  { state: old, parts }: { readonly state: State; readonly parts: StateParts },
): MeasuredDigest {
  const added = history.from(old.history.length);
  if (added.length === 0) return parts.messages;
  const { digest, bytes } = measureMessages(parts.messages.digest, added);
  const comma = old.history.length > 0 ? 1 : 0;
  return { digest, bytes: parts.messages.bytes + comma + bytes };
}
