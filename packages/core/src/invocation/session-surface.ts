import type { AgentResult, Artifact, FinishReason, Message } from "@agents/schema/agent";
import type { AgentSession, ReadonlyCustom, TurnCallback } from "../session/agent-session.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { CustomRecipe } from "../state/change-custom.ts";
import type { StateValue } from "../state/state-value.ts";
import type { TurnRunner } from "./turn-runner.ts";
import type { TurnSettler } from "./turn-settler.ts";

/** The session as the agent's code sees it. */
export class SessionSurface<Custom, Status> implements AgentSession<Custom> {
  readonly #live: LiveSession<Custom>;
  readonly #settler: TurnSettler<Custom, Status>;
  readonly #turns: TurnRunner<Custom, Status>;

  constructor(live: LiveSession<Custom>, settler: TurnSettler<Custom, Status>, turns: TurnRunner<Custom, Status>) {
    this.#live = live;
    this.#settler = settler;
    this.#turns = turns;
  }

  get sessionId(): string {
    return this.#live.state.sessionId;
  }

  get lastTurnFinishReason(): FinishReason | undefined {
    return this.#settler.last?.finishReason;
  }

  run(callback: TurnCallback): Promise<void> {
    return this.#turns.run(callback);
  }

  getState(): StateValue<Custom> {
    return this.#live.state.value;
  }

  getMessages(): readonly Message[] {
    return this.#live.state.messages;
  }

  addMessages(...messages: readonly Message[]): void {
    this.#live.addMessages(...messages);
  }

  setMessages(messages: readonly Message[]): void {
    this.#live.setMessages(messages);
  }

  getCustom(): ReadonlyCustom<Custom> {
    return this.#live.state.custom as ReadonlyCustom<Custom>;
  }

  updateCustom(recipe: CustomRecipe<Custom>): void {
    this.#live.updateCustom(recipe);
  }

  getArtifacts(): readonly Artifact[] {
    return this.#live.state.artifacts;
  }

  addArtifacts(...artifacts: readonly Artifact[]): void {
    this.#live.addArtifacts(...artifacts);
  }

  setArtifacts(artifacts: readonly Artifact[]): void {
    this.#live.setArtifacts(artifacts);
  }

  result(): AgentResult {
    const { history, artifacts } = this.#live.state;
    const message = history.findLast(({ role }) => role === "model");
    const result: AgentResult = {};
    if (message !== undefined) result.message = message;
    if (artifacts.length > 0) result.artifacts = [...artifacts];
    if (this.lastTurnFinishReason !== undefined) result.finishReason = this.lastTurnFinishReason;
    return result;
  }
}
