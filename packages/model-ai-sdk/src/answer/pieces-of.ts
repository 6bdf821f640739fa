import type { GenerateResult, ProviderMetadata, StreamPart } from "../provider/provider-model.ts";

/** An answer that came whole, as the pieces of a stream that would have brought it. */
export function* piecesOf(content: GenerateResult["content"]): Generator<StreamPart> {
  for (const [index, part] of content.entries()) {
    if (isText(part)) {
      const { type, text, providerMetadata } = part;
      const id = String(index);
      yield { type: `${type}-start`, id, providerMetadata };
      yield { type: `${type}-delta`, id, delta: text };
      yield { type: `${type}-end`, id };
    } else {
      yield part as StreamPart;
    }
  }
}

interface Text {
  readonly type: "text" | "reasoning";
  readonly text: string;
  readonly providerMetadata?: ProviderMetadata;
}

function isText(part: { readonly type: string }): part is Text {
  return part.type === "text" || part.type === "reasoning";
}
