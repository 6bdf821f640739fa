import type { Artifact, InitialState, Message } from "@agents/schema/agent";
import { History } from "./history.ts";
import { importChanged, importJson } from "./import-json.ts";
import type { StateValue } from "./state-value.ts";

/**
 * A state as the runtime works with it. Never changed: each change makes a new one that shares the rest, at the cost of
 * the change. `value` is the same as a plain object, for everybody else.
 */
export class State<Custom = unknown> {
  readonly sessionId: string;
  readonly history: History;
  /** Frozen. */
  readonly custom: Custom | undefined;
  /** Frozen. */
  readonly artifacts: readonly Artifact[];
  #value: StateValue<Custom> | undefined;

  constructor(sessionId: string, history: History, custom: Custom | undefined, artifacts: readonly Artifact[]) {
    this.sessionId = sessionId;
    this.history = history;
    this.custom = custom;
    this.artifacts = artifacts;
  }

  /** Of what a client brought. */
  static import<Custom>(sessionId: string, initial: InitialState<Custom> = {}): State<Custom> {
    const { messages = [], custom, artifacts = NONE } = initial;
    return new State(
      sessionId,
      History.of(importJson(messages, "/messages")),
      custom === undefined ? undefined : importChanged(custom, "/custom"),
      artifacts === NONE ? NONE : importJson(artifacts, "/artifacts"),
    );
  }

  /** Of a value that is deeply frozen. */
  static of<Custom>(value: StateValue<Custom>): State<Custom> {
    return new State(value.sessionId, History.of(value.messages), value.custom, value.artifacts);
  }

  get messages(): readonly Message[] {
    return this.history.list();
  }

  /** Plain and deeply frozen; made once, when somebody asks for it. */
  get value(): StateValue<Custom> {
    const { sessionId, messages, custom, artifacts } = this;
    this.#value ??= Object.freeze(
      custom === undefined ? { sessionId, messages, artifacts } : { sessionId, messages, artifacts, custom },
    );
    return this.#value;
  }

  append(added: readonly Message[]): State<Custom> {
    return this.appendFrozen(importJson(added, "/messages"));
  }

  /** Takes messages that are frozen already. */
  appendFrozen(added: readonly Message[]): State<Custom> {
    if (added.length === 0) return this;
    return new State(this.sessionId, this.history.append(added), this.custom, this.artifacts);
  }

  /** Messages that the state has already are shared, so rewriting a history copies what is new in it. */
  withMessages(messages: readonly Message[]): State<Custom> {
    const known = new Set(this.messages);
    const next = messages.map((message, index) =>
      known.has(message) ? message : importJson(message, `/messages/${index}`),
    );
    return new State(this.sessionId, History.of(next), this.custom, this.artifacts);
  }

  /** Takes a value that is frozen already. */
  withCustom(custom: Custom | undefined): State<Custom> {
    return new State(this.sessionId, this.history, custom, this.artifacts);
  }

  /** The same non-empty name replaces in place, unnamed ones are appended. */
  addArtifacts(added: readonly Artifact[]): State<Custom> {
    const artifacts = [...this.artifacts];
    for (const artifact of importJson(added, "/artifacts")) {
      const place = artifact.name ? artifacts.findIndex(({ name }) => name === artifact.name) : -1;
      if (place < 0) artifacts.push(artifact);
      else artifacts[place] = artifact;
    }
    return new State(this.sessionId, this.history, this.custom, Object.freeze(artifacts));
  }

  withArtifacts(artifacts: readonly Artifact[]): State<Custom> {
    return new State(this.sessionId, this.history, this.custom, NONE).addArtifacts(artifacts);
  }
}

const NONE: readonly never[] = Object.freeze([]);
