import type { Artifact, Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { PatchOperation } from "@agents/schema/patch";
import { type CustomChange, type CustomRecipe, changeCustom } from "../state/change-custom.ts";
import { checkArtifacts, checkMessages } from "../state/check-shape.ts";
import { importJson } from "../state/import-json.ts";
import type { State } from "../state/state.ts";

/** What a change of the session tells the turn's clients. */
export type SessionEmission =
  | { readonly type: "custom"; readonly patch: readonly PatchOperation[] }
  | { readonly type: "artifact"; readonly artifact: Artifact };

/** A state, and whether its history only grew since it was last stored: then what was added is all there is to write. */
export interface KeptState<Custom> {
  readonly state: State<Custom>;
  readonly appendOnly: boolean;
}

/** A session while an invocation works on it. What its getters return is frozen and may be kept. */
export class LiveSession<Custom> {
  readonly #emit: (emission: SessionEmission) => void;
  #state: State<Custom>;
  #appendOnly = true;
  /** What the turn is rolled back to. */
  #atStart: KeptState<Custom>;
  /** What stays of it when it fails, where failed turns can be continued from. */
  #toKeep: KeptState<Custom> | undefined;
  #firstPatch = true;
  #changing = false;
  #ended = false;

  /** @param emit Called synchronously with each change that clients see, in order. */
  constructor(state: State<Custom>, emit: (emission: SessionEmission) => void) {
    this.#state = state;
    this.#emit = emit;
    this.#atStart = this.now;
  }

  get state(): State<Custom> {
    return this.#state;
  }

  /** Messages were only appended since the state was last stored. */
  get appendOnly(): boolean {
    return this.#appendOnly;
  }

  /** What the turn started from. */
  get startedFrom(): State<Custom> {
    return this.#atStart.state;
  }

  get now(): KeptState<Custom> {
    return { state: this.#state, appendOnly: this.#appendOnly };
  }

  addMessages(...messages: readonly Message[]): void {
    this.#refuseAfterEnd();
    checkMessages(messages, "/messages");
    this.#state = this.#state.append(messages);
  }

  /** Adds a message that is frozen already: the user's. */
  take(message: Message): void {
    this.#state = this.#state.appendFrozen([message]);
  }

  setMessages(messages: readonly Message[]): void {
    this.#refuseAfterEnd();
    checkMessages(messages, "/messages");
    this.#state = this.#state.withMessages(messages);
    this.#appendOnly = false;
  }

  updateCustom(recipe: CustomRecipe<Custom>): void {
    this.#refuseAfterEnd();
    const { value, patch } = this.#change(recipe);
    const shown = this.#firstPatch ? [wholeDocument(value)] : patch;
    if (value !== this.#state.custom) this.#state = this.#state.withCustom(value);
    this.#firstPatch = false;
    if (shown.length > 0) this.#emit({ type: "custom", patch: shown });
  }

  /** One recipe at a time: what the inner one changed would be gone when the outer one ends. */
  #change(recipe: CustomRecipe<Custom>): CustomChange<Custom> {
    if (this.#changing) throw withinRecipe();
    this.#changing = true;
    try {
      return changeCustom(this.#state.custom as Custom, recipe);
    } finally {
      this.#changing = false;
    }
  }

  addArtifacts(...artifacts: readonly Artifact[]): void {
    this.#refuseAfterEnd();
    checkArtifacts(artifacts, "/artifacts");
    // Copied first: what clients see must not change when the caller's object does.
    const added = importJson(artifacts, "/artifacts");
    this.#state = this.#state.addArtifacts(added);
    for (const artifact of added) this.#emit({ type: "artifact", artifact });
  }

  setArtifacts(artifacts: readonly Artifact[]): void {
    this.#refuseAfterEnd();
    checkArtifacts(artifacts, "/artifacts");
    this.#state = this.#state.withArtifacts(artifacts);
    for (const artifact of this.#state.artifacts) this.#emit({ type: "artifact", artifact });
  }

  /** A turn starts: its first patch replaces the whole document, so that a client who joins here needs nothing before. */
  startTurn(): void {
    this.#firstPatch = true;
    this.#atStart = this.now;
    this.#toKeep = undefined;
  }

  /** What the turn has done so far is worth keeping: it need not be done again if the turn fails from here on. */
  keepSoFar(): void {
    this.#toKeep = this.now;
  }

  /** The state is stored: history counts as appended to from here. */
  stored(): void {
    this.#appendOnly = true;
  }

  /** Undoes everything since the turn started. */
  rollback(): void {
    this.#state = this.#atStart.state;
    this.#appendOnly = this.#atStart.appendOnly;
  }

  /** Undoes what was not to be kept: if nothing was, all but these messages, which are frozen. */
  rollbackToKept(atLeast: readonly Message[]): void {
    const kept = this.#toKeep;
    this.#state = kept?.state ?? this.#atStart.state.appendFrozen(atLeast);
    this.#appendOnly = (kept ?? this.#atStart).appendOnly;
  }

  /** Goes on from another state: that of a turn which another invocation has added. */
  replace(state: State<Custom>): void {
    this.#state = state;
    this.#appendOnly = true;
  }

  /** The same state with large values replaced by references, as far as it is not stored yet. */
  lighten(state: State<Custom>): void {
    this.#state = state;
  }

  /** The invocation is over. Whatever still runs and tries to change the session is told so. */
  end(): void {
    this.#ended = true;
  }

  #refuseAfterEnd(): void {
    if (!this.#ended) return;
    throw new AgentError(
      "FAILED_PRECONDITION",
      `Session ${this.#state.sessionId} cannot be changed here any more: the invocation has ended.`,
    );
  }
}

function withinRecipe(): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    "updateCustom was called within a recipe of updateCustom. Make both changes in one recipe, or one after the other.",
  );
}

function wholeDocument(value: unknown): PatchOperation {
  if (value !== undefined) return { op: "replace", path: "", value };
  throw new AgentError(
    "FAILED_PRECONDITION",
    "The custom state is undefined. Give the agent an initial custom state, or return one from the recipe of updateCustom.",
  );
}
