import type { Part } from "@agents/schema/agent";
import { mergeMetadata, metadataOf } from "../provider/part-metadata.ts";
import type { ProviderMetadata } from "../provider/provider-model.ts";
import { endsInHalf, wellFormed } from "./well-formed.ts";

export type TextKind = "text" | "reasoning";

/** A text or reasoning block while it is written. */
export class TextBlock {
  readonly kind: TextKind;
  #text = "";
  /** The first half of a character whose second half is in the next piece. */
  #half = "";
  #metadata: ProviderMetadata | undefined;

  constructor(kind: TextKind) {
    this.kind = kind;
  }

  /** What can be shown of the block now: pieces joined are its text. */
  append(delta: string): string {
    const text = this.#half + delta;
    const whole = endsInHalf(text) ? text.slice(0, -1) : text;
    this.#half = text.slice(whole.length);
    return this.#add(whole);
  }

  /** The rest, if the block ended within a character. */
  end(): string {
    const rest = this.#half;
    this.#half = "";
    return this.#add(rest);
  }

  say(metadata: ProviderMetadata | undefined): void {
    this.#metadata = mergeMetadata(this.#metadata, metadata);
  }

  /** Undefined for a block without anything in it. A redacted thought has no text, and metadata. */
  part(): Part | undefined {
    const metadata = metadataOf(this.#metadata);
    if (this.#text === "" && metadata.metadata === undefined) return undefined;
    return { ...textPart(this.kind, this.#text), ...metadata };
  }

  #add(text: string): string {
    const piece = wellFormed(text);
    this.#text += piece;
    return piece;
  }
}

export function textPart(kind: TextKind, text: string): Part {
  return kind === "text" ? { text } : { reasoning: text };
}
