import type { FinishReason, Part, Usage } from "@agents/schema/agent";
import type { ModelResponse } from "@agents/schema/port";
import { metadataOf } from "../provider/part-metadata.ts";
import type {
  GenerateResult,
  ProviderFinishReason,
  ProviderMetadata,
  ProviderWarning,
} from "../provider/provider-model.ts";

export interface ResponseOptions {
  readonly content: Part[];
  readonly finishReason: ProviderFinishReason;
  readonly usage: GenerateResult["usage"];
  readonly warnings: readonly string[];
  /** What the provider said of the whole answer, if it is to be kept. */
  readonly metadata: ProviderMetadata | undefined;
}

export function toResponse({ content, finishReason, usage, warnings, metadata }: ResponseOptions): ModelResponse {
  return {
    message: { role: "model", content, ...metadataOf(metadata) },
    finishReason: toFinishReason(finishReason),
    usage: toUsage(usage),
    ...(warnings.length > 0 && { warnings }),
  };
}

export function warningText({ feature, setting, details, message }: ProviderWarning): string {
  const named = feature ?? setting;
  const said = details ?? message;
  if (named === undefined) return said ?? "The provider gave a warning without words.";
  return said === undefined ? `The provider does not support ${named}.` : `${named}: ${said}`;
}

const FINISH_REASON: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  // Whether tools were asked for is seen in the message.
  "tool-calls": "stop",
  length: "length",
  "content-filter": "blocked",
};

function toFinishReason({ unified, raw }: ProviderFinishReason): FinishReason {
  return FINISH_REASON[unified] ?? (raw === undefined ? "unknown" : "other");
}

function toUsage({ inputTokens, outputTokens }: GenerateResult["usage"]): Usage {
  const { total: input, cacheRead } = inputTokens;
  const { total: output, reasoning } = outputTokens;
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
    ...(input !== undefined && output !== undefined && { totalTokens: input + output }),
    ...(cacheRead !== undefined && { cachedInputTokens: cacheRead }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}
