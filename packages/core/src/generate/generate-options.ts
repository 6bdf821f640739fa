import type { Message, Metadata, Part, Resume } from "@agents/schema/agent";
import type { AgentContext, Model, ModelRequest, Tool, ToolSource } from "@agents/schema/port";
import type * as z from "zod";
import type { ModelMiddleware } from "../model/model-middleware.ts";

/** How a model is to be asked: what a single generation, a prompt and an agent have in common. */
export interface ModelOptions {
  readonly tools?: readonly (Tool | ToolSource)[];
  /** Of the first model call; those that follow are free to answer. @default "auto" */
  readonly toolChoice?: ModelRequest["toolChoice"];
  /** Most model calls: each round of tools takes one. The next would fail with RESOURCE_EXHAUSTED. @default 10 */
  readonly maxTurns?: number;
  /** Temperature and the like, by the provider's own names. */
  readonly config?: Metadata;
  /** What stands before the model: the first is asked first. `retryModel`, `fallbackModel`, `priceModel`, or your own. */
  readonly use?: readonly ModelMiddleware[];
  /** Longest time of one model call, in milliseconds, retries of middleware included. @default none */
  readonly timeoutMs?: number;
}

export interface GenerateOptions<Output = unknown> extends ModelOptions {
  readonly model: Model;
  readonly system?: string | readonly Part[];
  /** The user's words. Comes after `messages`. */
  readonly prompt?: string | readonly Part[];
  /** The conversation so far. */
  readonly messages?: readonly Message[];
  /** Answers to the calls that interrupted the conversation in `messages`. */
  readonly resume?: Resume;
  /** Checks the answer, as JSON. One that does not fit is asked for once more, then INTERNAL says what is wrong with it. */
  readonly output?: { readonly schema: z.ZodType<Output> };
  /** Calls of tools end the generation: the caller carries them out. @default false */
  readonly returnToolRequests?: boolean;
  /** Stops the generation. @default that of the turn around it */
  readonly abortSignal?: AbortSignal;
  /** Reaches the tools. @default that of the agent around it */
  readonly context?: AgentContext;
}
