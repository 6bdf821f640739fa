import { AgentError } from "@agents/schema/error";
import type { PatchOperation } from "@agents/schema/patch";
import type { Artifact, Message } from "@agents/schema/wire";
import { type CustomRecipe, changeCustom } from "../state/change-custom.ts";
import { importJson } from "../state/import-json.ts";
import { addArtifacts, appendMessages, type StateValue, withCustom, withMessages } from "../state/state-value.ts";

/** What a change of the session tells the turn's clients. */
export type SessionEmission =
  | { readonly type: "custom"; readonly patch: readonly PatchOperation[] }
  | { readonly type: "artifact"; readonly artifact: Artifact };

export interface LiveSessionOptions<Custom> {
  readonly state: StateValue<Custom>;
  /** Called synchronously with each change that clients see, in order. */
  readonly emit: (emission: SessionEmission) => void;
}

/** A session while an invocation works on it. What its getters return is frozen and may be kept. */
export interface LiveSession<Custom> {
  readonly state: StateValue<Custom>;
  /** Messages were only appended since `settled` or `rollback`. */
  readonly appendOnly: boolean;
  addMessages(...messages: readonly Message[]): void;
  setMessages(messages: readonly Message[]): void;
  updateCustom(recipe: CustomRecipe<Custom>): void;
  addArtifacts(...artifacts: readonly Artifact[]): void;
  setArtifacts(artifacts: readonly Artifact[]): void;
  /** A turn starts: its first patch replaces the whole document, so that a client who joins here needs nothing before. */
  startTurn(): void;
  /** The state is stored: later changes count from here. */
  settled(): void;
  /** Undoes everything since the state was last settled, and keeps these messages on top of it. */
  rollback(keep?: readonly Message[]): void;
}

export function createLiveSession<Custom>({ state: start, emit }: LiveSessionOptions<Custom>): LiveSession<Custom> {
  let base = start;
  let state = start;
  let appendOnly = true;
  let firstPatch = true;

  return {
    get state() {
      return state;
    },
    get appendOnly() {
      return appendOnly;
    },
    addMessages(...messages) {
      state = appendMessages(state, messages);
    },
    setMessages(messages) {
      state = withMessages(state, messages);
      appendOnly = false;
    },
    updateCustom(recipe) {
      const { value, patch } = changeCustom(state.custom as Custom, recipe);
      state = withCustom(state, value);
      if (firstPatch) emit({ type: "custom", patch: [wholeDocument(value)] });
      else if (patch.length > 0) emit({ type: "custom", patch });
      firstPatch = false;
    },
    addArtifacts(...artifacts) {
      // Copied first: what clients see must not change when the caller's object does.
      const added = importJson(artifacts, "/artifacts");
      state = addArtifacts(state, added);
      for (const artifact of added) emit({ type: "artifact", artifact });
    },
    setArtifacts(artifacts) {
      const { artifacts: _, ...rest } = state;
      state = addArtifacts({ ...rest, artifacts: [] }, artifacts);
      for (const artifact of state.artifacts) emit({ type: "artifact", artifact });
    },
    startTurn() {
      firstPatch = true;
    },
    settled() {
      base = state;
      appendOnly = true;
    },
    rollback(keep = []) {
      state = appendMessages(base, keep);
      appendOnly = true;
    },
  };
}

function wholeDocument(value: unknown): PatchOperation {
  if (value !== undefined) return { op: "replace", path: "", value };
  throw new AgentError(
    "FAILED_PRECONDITION",
    "The custom state is undefined. Give the agent an initial custom state, or return one from the recipe of updateCustom.",
  );
}
