import type { Message, ModelChunk, Usage } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { ModelRequest, ModelResponse } from "@agents/schema/port";
import { toJsonSchema } from "../bidi/action-json-schemas.ts";
import { callModel } from "../model/call-model.ts";
import { balanceHistory } from "./balance-history.ts";
import type { Generation } from "./generation.ts";

export interface AskOptions {
  readonly history: readonly Message[];
  /** Place of the answer among the messages of this generation. */
  readonly index: number;
  readonly toolChoice: ModelRequest["toolChoice"] | undefined;
}

/** One model call of a generation, paid for by the turn. Rejects with RESOURCE_EXHAUSTED where the turn may make no more. */
export async function askModel(generation: Generation, options: AskOptions): Promise<ModelResponse> {
  const { model, tools, signal, timeoutMs, turn } = generation;
  refuseWithoutRoom(generation);
  const response = await callModel({
    model,
    request: await requestFor(generation, options),
    sendChunk: sender(generation, options.index),
    signal,
    timeoutMs,
    clock: tools.clock,
    telemetry: tools.telemetry,
  });
  turn?.recordUsage(usageOf(response));
  return response;
}

/** What one answer used: a call in any case. */
export function usageOf({ usage }: Pick<ModelResponse, "usage">): Usage {
  return { ...usage, modelCalls: usage?.modelCalls ?? 1 };
}

async function requestFor(generation: Generation, { history, toolChoice }: AskOptions): Promise<ModelRequest> {
  const { tools, config, outputSchema, arrange } = generation;
  const messages = balanceHistory(await arrange(history));
  const { described } = tools.tools;
  return {
    messages,
    ...(described.length === 0 ? {} : { tools: described }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(outputSchema === undefined ? {} : { outputSchema: toJsonSchema(outputSchema, "input") }),
    ...(config === undefined ? {} : { config }),
  };
}

/** Says of each piece which message it belongs to, unless the model does. */
function sender({ sendChunk }: Generation, index: number): ((chunk: ModelChunk) => Promise<void>) | undefined {
  return sendChunk && ((chunk) => sendChunk(chunk.index === undefined ? { index, ...chunk } : chunk));
}

function refuseWithoutRoom({ turn }: Generation): void {
  const left = turn?.remaining();
  if (left === undefined || (left.modelCalls >= 1 && left.tokens > 0)) return;
  const limit = left.modelCalls < 1 ? "modelCalls" : "tokens";
  throw new AgentError(
    "RESOURCE_EXHAUSTED",
    `The turn has used up its ${limit === "tokens" ? "tokens" : "model calls"}. Raise limits.${limit}, or ask for less.`,
    { details: { limit } },
  );
}
