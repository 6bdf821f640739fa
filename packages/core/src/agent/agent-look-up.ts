import type { AgentContext, Model, Tool } from "@agents/schema/port";
import type { AgentFunction } from "../invocation/agent-spec.ts";
import type { Prompt } from "../prompt/prompt.ts";

/** Where an agent finds what it names. */
export interface AgentLookUp {
  readonly defaultModel: Model | undefined;
  readonly model: (name: string) => Model | undefined;
  readonly tool: (name: string) => Tool | undefined;
  readonly prompt: (name: string) => Prompt | undefined;
}

/** A definition and the place where it is registered. */
export interface BoundAgent<Custom = unknown, Status = unknown> {
  readonly run: AgentFunction<Custom, Status>;
  /** Rejects while the agent cannot work: what its prompt names is not there, or its input does not fit. */
  readonly check?: (context: AgentContext) => Promise<unknown>;
}
