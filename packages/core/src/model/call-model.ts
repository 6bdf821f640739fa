import type { Message, Usage } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Clock, Model, ModelCall, ModelRequest, ModelResponse, Span, Telemetry } from "@agents/schema/port";
import { TimeLimit } from "../clock/time-limit.ts";

export interface CallModelOptions {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly sendChunk?: ModelCall["sendChunk"] | undefined;
  readonly signal: AbortSignal;
  /** Of this one call, retries of middleware included, in milliseconds. @default none */
  readonly timeoutMs?: number | undefined;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** One model call, measured. Rejects with the signal's reason as soon as it is aborted, whatever the model does. */
export function callModel(options: CallModelOptions): Promise<ModelResponse> {
  const { model, telemetry } = options;
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.request.model": model.name };
  return telemetry.span(`chat ${model.name}`, attributes, async (span) => {
    const response = checkResponse(model, await ask(options));
    report(options, span, response);
    return response;
  });
}

async function ask({ model, request, sendChunk, signal, timeoutMs, clock }: CallModelOptions): Promise<ModelResponse> {
  signal.throwIfAborted();
  const tooLong = (allowed: number) =>
    new AgentError(
      "DEADLINE_EXCEEDED",
      `Model ${model.name} took longer than ${allowed} ms. Raise the call's timeoutMs.`,
    );
  const limit = new TimeLimit({ signal, clock, timeoutMs, tooLong });
  const call: ModelCall = { signal: limit.signal, ...(sendChunk === undefined ? {} : { sendChunk }) };
  try {
    return await limit.race(model.generate(request, call));
  } finally {
    limit.stop();
  }
}

/** A model is somebody else's code: what it answers is checked before it becomes history. */
function checkResponse(model: Model, response: ModelResponse): ModelResponse {
  const message = response?.message as Partial<Message> | undefined;
  if (message?.role === "model" && Array.isArray(message.content)) return response;
  throw new AgentError(
    "INTERNAL",
    `Model ${model.name} answered with ${describe(message)} instead of a message of role "model" with a list of parts.`,
  );
}

function describe(message: Partial<Message> | undefined): string {
  return message === undefined ? "no message" : `a message of role ${JSON.stringify(message.role)}`;
}

function report({ model, telemetry }: CallModelOptions, span: Span, { finishReason, usage = {} }: ModelResponse): void {
  span.setAttributes({
    "gen_ai.response.finish_reasons": [finishReason],
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
  });
  for (const [type, tokens] of tokensByType(usage)) {
    if (tokens === undefined) continue;
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": model.name,
      "gen_ai.token.type": type,
    };
    telemetry.record("gen_ai.client.token.usage", tokens, attributes);
  }
}

function tokensByType({ inputTokens, outputTokens }: Usage) {
  return [
    ["input", inputTokens],
    ["output", outputTokens],
  ] as const;
}
