import type { ModelResponse } from "@agents/schema/port";
import { finishedWithError, toProviderError } from "../provider/provider-error.ts";
import type { GenerateResult } from "../provider/provider-model.ts";
import { Answer } from "./answer.ts";
import { piecesOf } from "./pieces-of.ts";
import type { ProviderCall } from "./provider-call.ts";
import { toResponse, warningText } from "./response.ts";

/** An answer in one piece. */
export async function readWhole(call: ProviderCall): Promise<ModelResponse> {
  const { name, warnings, keepAnswerMetadata } = call;
  const result = await generate(call);
  if (result.finishReason.unified === "error") throw finishedWithError(name, result.finishReason);
  const answer = new Answer(call.model.provider);
  for (const piece of piecesOf(result.content)) answer.add(piece);
  return toResponse({
    content: answer.content(),
    finishReason: result.finishReason,
    usage: result.usage,
    warnings: [...warnings, ...result.warnings.map(warningText)],
    metadata: keepAnswerMetadata ? result.providerMetadata : undefined,
  });
}

async function generate({ model, name, options }: ProviderCall): Promise<GenerateResult> {
  try {
    return await model.doGenerate(options);
  } catch (error) {
    throw toProviderError(error, { model: name, phase: "calling" });
  }
}
