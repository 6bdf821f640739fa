import type { Part } from "@agents/schema/agent";
import type { StreamPart } from "../provider/provider-model.ts";
import {
  partOfApproval,
  partOfCustom,
  partOfFile,
  partOfSource,
  partOfToolCall,
  partOfToolResult,
} from "./answer-part.ts";
import { TextBlock, type TextKind, textPart } from "./text-block.ts";

/**
 * The content of an answer, put together from the pieces of a stream. An answer that was not streamed takes the same way
 * (`piecesOf`), so that both give the same message. Parts stand in the order in which the model began them.
 */
export class Answer {
  readonly #slots: Slot[] = [];
  readonly #open = new Map<string, TextBlock>();
  readonly #calls = new Map<string, Slot>();
  readonly #provider: string;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** Takes a piece, and returns what can be shown of the answer because of it. */
  add(piece: StreamPart): Part | undefined {
    switch (piece.type) {
      case "text-start":
      case "reasoning-start":
        return this.#start(piece, kindOf(piece));
      case "text-delta":
      case "reasoning-delta":
        return this.#delta(piece, kindOf(piece));
      case "text-end":
      case "reasoning-end":
        return this.#end(piece, kindOf(piece));
      case "tool-input-start":
        this.#calls.set(piece.id, this.#slot());
        return undefined;
      case "tool-call":
        return this.#fill(this.#calls.get(piece.toolCallId), partOfToolCall(piece, this.#provider));
      case "tool-result":
        // A preliminary result is replaced by the one that follows.
        return piece.preliminary ? undefined : this.#fill(undefined, partOfToolResult(piece, this.#provider));
      case "file":
      case "reasoning-file":
        return this.#fill(undefined, partOfFile(piece));
      case "source":
        return this.#fill(undefined, partOfSource(piece));
      case "custom":
        return this.#fill(undefined, partOfCustom(piece, this.#provider));
      case "tool-approval-request":
        return this.#fill(undefined, partOfApproval(piece));
      case "stream-start":
      case "finish":
      case "error":
        return undefined;
      default:
        piece satisfies never;
        // Raw pieces, response metadata, and whatever later versions add.
        return undefined;
    }
  }

  /** The rest of blocks that the provider did not end. */
  end(): Part[] {
    const rest: Part[] = [];
    for (const block of this.#open.values()) {
      const text = block.end();
      if (text !== "") rest.push(textPart(block.kind, text));
    }
    this.#open.clear();
    return rest;
  }

  /** All parts. Neighbours of one kind of which the provider said nothing are one: where it cut them has no meaning. */
  content(): Part[] {
    const parts: Part[] = [];
    for (const { filled } of this.#slots) {
      const part = filled instanceof TextBlock ? filled.part() : filled;
      if (part === undefined) continue;
      const joined = join(parts.at(-1), part);
      if (joined === undefined) parts.push(part);
      else parts[parts.length - 1] = joined;
    }
    return parts;
  }

  #slot(filled?: Part | TextBlock): Slot {
    const slot = { filled };
    this.#slots.push(slot);
    return slot;
  }

  #fill(slot: Slot | undefined, part: Part): Part {
    if (slot === undefined) this.#slot(part);
    else slot.filled = part;
    return part;
  }

  #block(kind: TextKind, id: string): TextBlock {
    const key = `${kind} ${id}`;
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    const block = new TextBlock(kind);
    this.#open.set(key, block);
    this.#slot(block);
    return block;
  }

  #start({ id, providerMetadata }: TextPiece, kind: TextKind): Part | undefined {
    // Ids may be used again, without an end between.
    const rest = this.#close(kind, id);
    this.#block(kind, id).say(providerMetadata);
    return rest;
  }

  #delta({ id, providerMetadata, delta = "" }: TextPiece, kind: TextKind): Part | undefined {
    const block = this.#block(kind, id);
    block.say(providerMetadata);
    const text = block.append(delta);
    return text === "" ? undefined : textPart(kind, text);
  }

  #end({ id, providerMetadata }: TextPiece, kind: TextKind): Part | undefined {
    this.#open.get(`${kind} ${id}`)?.say(providerMetadata);
    return this.#close(kind, id);
  }

  #close(kind: TextKind, id: string): Part | undefined {
    const key = `${kind} ${id}`;
    const text = this.#open.get(key)?.end() ?? "";
    this.#open.delete(key);
    return text === "" ? undefined : textPart(kind, text);
  }
}

/** A part's place among the others, which it may take before the part is there. */
interface Slot {
  filled: Part | TextBlock | undefined;
}

type TextPiece = Extract<StreamPart, { id: string; type: `${TextKind}-${string}` }> & { delta?: string };

function kindOf({ type }: { type: `${TextKind}-${string}` }): TextKind {
  return type.startsWith("text") ? "text" : "reasoning";
}

function join(before: Part | undefined, part: Part): Part | undefined {
  if (before === undefined || before.metadata !== undefined || part.metadata !== undefined) return undefined;
  if (before.text !== undefined && part.text !== undefined) return { text: before.text + part.text };
  if (before.reasoning !== undefined && part.reasoning !== undefined) {
    return { reasoning: before.reasoning + part.reasoning };
  }
  return undefined;
}
