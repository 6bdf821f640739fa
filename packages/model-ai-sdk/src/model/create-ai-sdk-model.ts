import { AgentError } from "@agents/schema/error";
import type { Model, ModelCall, ModelRequest, ModelResponse } from "@agents/schema/port";
import { readStream } from "../answer/read-stream.ts";
import { readWhole } from "../answer/read-whole.ts";
import type { ProviderModel } from "../provider/provider-model.ts";
import { toCallConfig } from "../request/model-config.ts";
import { toProviderTools } from "../request/provider-tools.ts";
import { type RequestOptions, toCallOptions } from "../request/to-call-options.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface AiSdkModelOptions extends RequestOptions {
  /** For spans and messages. @default the provider's id of the model */
  readonly name?: string;
  /** `always`: for providers that cut long answers which are not streamed. @default "when read": if somebody takes chunks */
  readonly stream?: "when read" | "always";
  /** Keeps what the provider says of a whole answer (grounding, ratings) in the message's metadata. @default false */
  readonly keepAnswerMetadata?: boolean;
}

/**
 * The model port on top of a model of an AI SDK provider. The response is the same whether or not it was streamed. Rejects
 * with the signal's reason, with what `sendChunk` rejected with, or with an AgentError; an answer whose end is missing
 * is UNAVAILABLE, never a shorter answer. Throws INVALID_ARGUMENT for options that no call could be made with.
 */
export function createAiSdkModel(model: ProviderModel, options: AiSdkModelOptions = {}): Model {
  checkVersion(model);
  const { name = model.modelId, stream = "when read", keepAnswerMetadata = false } = options;
  const config = toCallConfig(options.config ?? {});
  const providerTools = toProviderTools(options.providerTools ?? {});

  async function answer(request: ModelRequest, { signal, sendChunk }: ModelCall): Promise<ModelResponse> {
    const { options: callOptions, warnings } = await toCallOptions(request, {
      ...options,
      config,
      providerTools,
      model,
      signal,
    });
    const call = { model, name, options: callOptions, signal, keepAnswerMetadata, warnings };
    return sendChunk === undefined && stream === "when read"
      ? await readWhole(call)
      : await readStream(call, sendChunk);
  }

  return {
    name,
    async generate(request, call) {
      call.signal.throwIfAborted();
      return await unlessAborted(call.signal, answer(request, call));
    },
  };
}

function checkVersion({ specificationVersion, modelId }: ProviderModel): void {
  const version: string | undefined = specificationVersion;
  if (version === "v3" || version === "v4") return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Model ${modelId} is of specification ${version ?? "unknown"}; v3 and v4 are understood. Install a version of its provider's package that has one of them.`,
    { details: { modelId, specificationVersion: version } },
  );
}
