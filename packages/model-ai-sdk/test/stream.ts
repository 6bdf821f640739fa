import type { ModelChunk } from "@agents/schema/agent";
import type { Model, ModelRequest, ModelResponse } from "@agents/schema/port";

export interface Streamed {
  readonly response: ModelResponse;
  readonly chunks: readonly ModelChunk[];
}

export async function stream(model: Model, request: ModelRequest): Promise<Streamed> {
  const chunks: ModelChunk[] = [];
  const { signal } = new AbortController();
  const sendChunk = async (chunk: ModelChunk): Promise<void> => void chunks.push(chunk);
  return { response: await model.generate(request, { signal, sendChunk }), chunks };
}

export function ask(model: Model, request: ModelRequest): Promise<ModelResponse> {
  return model.generate(request, { signal: new AbortController().signal });
}
