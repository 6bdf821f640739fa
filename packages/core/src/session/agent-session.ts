import type { AgentInput, AgentResult, Artifact, FinishReason, Message, Usage } from "@agents/schema/agent";
import type { CustomRecipe } from "../state/change-custom.ts";
import type { StateValue } from "../state/state-value.ts";

/** Frozen at run time all the way down; the type stops at the first level, so that it still fits what takes the value. */
export type ReadonlyCustom<Custom> = Custom extends object ? Readonly<Custom> : Custom;

/** One input on its way to the end. */
export interface AgentTurn {
  /** The id of the turn's row. Undefined when client-managed. */
  readonly snapshotId: string | undefined;
  /** The snapshot that it started from. Undefined for the first of a session, and when client-managed. */
  readonly parentSnapshotId: string | undefined;
  /** Place among the inputs of this invocation, from 0. */
  readonly turnIndex: number;
  /** Aborted when the turn is to stop. The same as the agent's. */
  readonly abortSignal: AbortSignal;
  /** What its model calls used so far. */
  readonly usage: Usage;
  /**
   * Counts a model call. Throws RESOURCE_EXHAUSTED when the turn has used up a limit: let it through, and the turn fails
   * with it. Call it with the usage of each model call, or before a call to learn whether there is room for one.
   */
  recordUsage(usage: Usage): void;
  /** What the limits leave; a limit that is not set leaves Infinity. */
  remaining(): { readonly timeMs: number; readonly modelCalls: number; readonly tokens: number };
}

/** What the callback of `run` may say about its turn. */
export interface TurnReport {
  /** @default "stop" */
  readonly finishReason?: FinishReason;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a callback is mostly a block that returns nothing.
export type TurnCallback = (input: AgentInput, turn: AgentTurn) => Promise<TurnReport | void>;

/** A session while an agent works on it. What its getters return is frozen and stays as it was: it may be kept. */
export interface AgentSession<Custom = unknown> {
  readonly sessionId: string;
  /**
   * Processes inputs, one turn each, until the client closes or leaves. The user's message is in history before the
   * callback runs. A callback that throws fails its turn: what it changed is rolled back, and the error comes out here.
   * Catch it and call again to go on with the inputs that follow.
   */
  run(callback: TurnCallback): Promise<void>;
  getState(): StateValue<Custom>;
  getMessages(): readonly Message[];
  addMessages(...messages: readonly Message[]): void;
  setMessages(messages: readonly Message[]): void;
  getCustom(): ReadonlyCustom<Custom>;
  /** Streams what changed as a patch. The recipe mutates its draft or returns a new value; if it throws, nothing changes. */
  updateCustom(recipe: CustomRecipe<Custom>): void;
  getArtifacts(): readonly Artifact[];
  /** The same non-empty name replaces in place, unnamed ones are appended. Each is streamed. */
  addArtifacts(...artifacts: readonly Artifact[]): void;
  setArtifacts(artifacts: readonly Artifact[]): void;
  /** The last message of the agent, the artifacts, and the last turn's reason: what most agents return. */
  result(): AgentResult;
  /** Undefined before the first turn ended. */
  readonly lastTurnFinishReason: FinishReason | undefined;
}
