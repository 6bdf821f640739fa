import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { ProviderModel } from "../src/index.ts";

/**
 * A real provider model that speaks the fourth version of the specification: files carry what they are. (Packages that
 * have it themselves need a newer Node.)
 */
export function asV4(provider: ProviderModel): ProviderModel {
  const model = provider as unknown as LanguageModelV3;
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const result = await model.doGenerate(untagged(options));
      return { ...result, content: result.content.map(tagged) };
    },
    async doStream(options) {
      const { stream } = await model.doStream(untagged(options));
      const tagging = new TransformStream<LanguageModelV3StreamPart, { type: string }>({
        transform: (part, controller) => controller.enqueue(tagged(part)),
      });
      return { stream: stream.pipeThrough(tagging) };
    },
  };
}

function tagged<T extends { readonly type: string }>(part: T): T {
  return part.type === "file" ? { ...part, data: { type: "data", data: (part as { data?: unknown }).data } } : part;
}

/** Throws what a package of the fourth version would refuse, too: a file without its tag. */
function untagged(options: object): LanguageModelV3CallOptions {
  const { prompt, ...rest } = options as LanguageModelV3CallOptions;
  return {
    ...rest,
    prompt: prompt.map((message) => {
      if (typeof message.content === "string") return message;
      return { ...message, content: (message.content as { type: string }[]).map(withoutTag) };
    }) as LanguageModelV3CallOptions["prompt"],
  };
}

function withoutTag(part: { type: string; data?: unknown }): unknown {
  if (part.type !== "file") return part;
  const data = part.data as { type: string; data?: unknown; url?: URL };
  if (data.type === "url") return { ...part, data: data.url };
  if (data.type === "data") return { ...part, data: data.data };
  throw new TypeError("the data of a file must say what it is");
}
