import type { Artifact, InitialState, Message } from "@agents/schema/wire";
import { adopt, importJson } from "./import-json.ts";

/**
 * A session's state at one moment. Deeply frozen: it can be handed to anybody and kept by a store in the same process.
 * A change makes a new one that shares everything else.
 */
export interface StateValue<Custom = unknown> {
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly custom?: Custom;
  readonly artifacts: readonly Artifact[];
}

export function makeState<Custom>(sessionId: string, initial: InitialState<Custom> = {}): StateValue<Custom> {
  return importJson({
    sessionId,
    messages: initial.messages ?? [],
    custom: initial.custom,
    artifacts: initial.artifacts ?? [],
  }) as StateValue<Custom>;
}

export function appendMessages<Custom>(state: StateValue<Custom>, added: readonly Message[]): StateValue<Custom> {
  if (added.length === 0) return state;
  return adopt({ ...state, messages: adopt([...state.messages, ...importJson(added, "/messages")]) });
}

export function withMessages<Custom>(state: StateValue<Custom>, messages: readonly Message[]): StateValue<Custom> {
  return adopt({ ...state, messages: importJson(messages, "/messages") });
}

/** Takes a value that is frozen already. */
export function withCustom<Custom>(state: StateValue<Custom>, custom: Custom | undefined): StateValue<Custom> {
  const { custom: _, ...rest } = state;
  return adopt(custom === undefined ? rest : { ...rest, custom });
}

/** The same non-empty name replaces in place, unnamed ones are appended. */
export function addArtifacts<Custom>(state: StateValue<Custom>, added: readonly Artifact[]): StateValue<Custom> {
  const artifacts = [...state.artifacts];
  for (const artifact of importJson(added, "/artifacts")) {
    const place = artifact.name ? artifacts.findIndex(({ name }) => name === artifact.name) : -1;
    if (place < 0) artifacts.push(artifact);
    else artifacts[place] = artifact;
  }
  return adopt({ ...state, artifacts: adopt(artifacts) });
}
