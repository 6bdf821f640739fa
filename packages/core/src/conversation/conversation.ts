import type { Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Model, Tool } from "@agents/schema/port";
import { DEFAULT_MAX_TURNS } from "../generate/generate.ts";
import type { Generation } from "../generate/generation.ts";
import type { HistoryPolicy } from "../history/history-policy.ts";
import { withMiddleware } from "../model/model-middleware.ts";
import type { PromptWords } from "../prompt/define-prompt.ts";
import type { Prompt, PromptMoment, RenderedPrompt } from "../prompt/prompt.ts";
import type { CurrentWork } from "../session/session-context.ts";
import { ToolSet } from "../tool/tool-set.ts";

/** What a prompt agent is made of, before anything is looked up. */
export interface Conversation {
  readonly agent: string;
  /** Throws NOT_FOUND for one that is not registered. */
  readonly prompt: () => Prompt;
  readonly input: unknown;
  /** What the agent asks for instead of the prompt. */
  readonly instead: Omit<PromptWords, "system" | "messages">;
  readonly history: HistoryPolicy | undefined;
  readonly lookUp: {
    readonly defaultModel: Model | undefined;
    readonly model: (name: string) => Model | undefined;
    readonly tool: (name: string) => Tool | undefined;
  };
}

/** A prompt rendered, and all its names found. */
export interface PreparedTurn {
  readonly rendered: RenderedPrompt;
  readonly model: Model;
  readonly tools: ToolSet;
}

/**
 * Renders the prompt and finds what it names. Rejects with INVALID_ARGUMENT for an input that does not fit, NOT_FOUND for a
 * prompt, model or tool that is not registered, FAILED_PRECONDITION without a model.
 */
export async function prepareTurn(conversation: Conversation, moment: PromptMoment): Promise<PreparedTurn> {
  const { agent, prompt, input, instead, lookUp } = conversation;
  const rendered: RenderedPrompt = { ...(await prompt().render(input, moment)), ...instead };
  const { model = lookUp.defaultModel, tools = [] } = rendered;
  if (model === undefined) throw noModel(agent);
  return {
    rendered,
    model: typeof model === "string" ? found(lookUp.model(model), { agent, kind: "model", name: model }) : model,
    tools: new ToolSet(
      tools.map((tool) =>
        typeof tool === "string" ? found(lookUp.tool(tool), { agent, kind: "tool", name: tool }) : tool,
      ),
    ),
  };
}

/** What each model call of a turn works with. */
export function generationOf(
  { rendered, model, tools }: PreparedTurn,
  { session, turn, around }: CurrentWork,
  policy: HistoryPolicy | undefined,
): Generation {
  const { clock, ids, telemetry, context, sendChunk, abortSignal } = around;
  const { before, after, use = [], maxTurns = DEFAULT_MAX_TURNS } = rendered;
  return {
    model: withMiddleware(model, use),
    tools: {
      tools,
      turnKey: turn?.snapshotId ?? session.sessionId,
      context,
      clock,
      telemetry,
      sendChunk,
    },
    ids,
    signal: abortSignal,
    sendChunk: (modelChunk) => sendChunk({ modelChunk }),
    turn,
    arrange: async (history): Promise<readonly Message[]> => {
      const shown = policy === undefined ? history : await policy(history, { signal: abortSignal });
      return [...before, ...shown, ...after];
    },
    toolChoice: rendered.toolChoice,
    config: rendered.config,
    outputSchema: rendered.output?.schema,
    timeoutMs: rendered.timeoutMs,
    maxTurns,
    returnToolRequests: false,
  };
}

interface Wanted {
  readonly agent: string;
  readonly kind: "model" | "tool";
  readonly name: string;
}

function found<T>(value: T | undefined, { agent, kind, name }: Wanted): T {
  if (value !== undefined) return value;
  throw new AgentError(
    "NOT_FOUND",
    `Agent '${agent}' asks for the ${kind} ${JSON.stringify(name)}, which is not registered. Register it, or pass the ${kind} itself.`,
    { details: { agent, kind, name } },
  );
}

function noModel(agent: string): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    `Agent '${agent}' has no model. Give one to the agent, to its prompt, or to createAgents.`,
    { details: { agent } },
  );
}
