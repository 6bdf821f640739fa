import type { Message } from "@agents/schema/agent";
import type { AgentContext, Model, Tool, ToolSource } from "@agents/schema/port";
import type * as z from "zod";
import type { ModelOptions } from "../generate/generate-options.ts";

/** For whom a prompt is rendered. */
export interface PromptMoment<Custom = unknown> {
  readonly context: AgentContext;
  /** The session's custom state; undefined where there is none yet. */
  readonly custom: Custom | undefined;
}

/** A prompt's words and what it asks for, for one turn. */
export interface RenderedPrompt extends Omit<ModelOptions, "tools"> {
  /** Stand before history, in this order. */
  readonly before: readonly Message[];
  /** Stand after history. */
  readonly after: readonly Message[];
  /** A model, or the name of a registered one. */
  readonly model?: Model | string;
  /** Tools, or names of registered ones. */
  readonly tools?: readonly (Tool | ToolSource | string)[];
  readonly output?: { readonly schema: z.ZodType };
}

/** Something that can be rendered. What it makes is sent and never becomes part of history. */
export interface Prompt<Input = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: z.ZodType<Input>;
  /** Rejects with INVALID_ARGUMENT naming the path for an input that does not fit. */
  render(input: unknown, moment: PromptMoment): Promise<RenderedPrompt>;
}

const MARK = "history";

/** Where history goes, among the `messages` of a prompt. */
export const HISTORY: Message = Object.freeze({ role: "user", content: [], metadata: { purpose: MARK } });

/** Messages before and after the mark. Without one, history comes last. */
export function splitAtHistory(messages: readonly Message[]): Pick<RenderedPrompt, "before" | "after"> {
  const place = messages.findIndex(({ metadata }) => metadata?.purpose === MARK);
  if (place < 0) return { before: messages, after: [] };
  return { before: messages.slice(0, place), after: messages.slice(place + 1) };
}
