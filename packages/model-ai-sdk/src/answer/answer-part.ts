import type { Part } from "@agents/schema/agent";
import { MALFORMED_INPUT, metadataOf } from "../provider/part-metadata.ts";
import type { FileData, FileDataV4, StreamPart, ToolResult } from "../provider/provider-model.ts";
import { parseToolInput } from "./parse-tool-input.ts";

type Piece<Type extends StreamPart["type"]> = Extract<StreamPart, { type: Type }>;

/**
 * A tool request, or, where the provider runs the tool itself, a custom part: the tool loop must not run it again, and the
 * provider wants to see it on the next call.
 */
export function partOfToolCall(call: Piece<"tool-call">, provider: string): Part {
  const { toolCallId: ref, toolName: name, providerMetadata } = call;
  const { input, malformed } = parseToolInput(call.input);
  if (call.providerExecuted)
    return { custom: { providerToolCall: { provider, name, ref, input } }, ...metadataOf(providerMetadata) };
  const more = malformed === undefined ? {} : { [MALFORMED_INPUT]: malformed };
  return { toolRequest: { name, ref, input }, ...metadataOf(providerMetadata, more) };
}

export function partOfFile({ type, mediaType, data, providerMetadata }: Piece<"file" | "reasoning-file">): Part {
  const more = type === "reasoning-file" ? { reasoning: true } : {};
  return { media: { url: urlOf(data, mediaType), contentType: mediaType }, ...metadataOf(providerMetadata, more) };
}

// What we have no kind of part for. Results and custom content go back as they came, to the provider they came from.

export function partOfToolResult(piece: ToolResult, provider: string): Part {
  const { toolName: name, toolCallId: ref, result, ...rest } = piece;
  const record = { provider, name, ref, result, ...(rest.isError && { isError: true }) };
  return { custom: { providerToolResult: record }, ...metadataOf(rest.providerMetadata) };
}

export function partOfSource({ type: _type, id: _id, providerMetadata, ...source }: Piece<"source">): Part {
  // Ids of sources are made up by the provider's package, anew for each answer.
  return { custom: { source }, ...metadataOf(providerMetadata) };
}

export function partOfCustom({ kind, providerMetadata }: Piece<"custom">, provider: string): Part {
  return { custom: { providerContent: { provider, kind } }, ...metadataOf(providerMetadata) };
}

export function partOfApproval({
  approvalId: id,
  toolCallId: ref,
  providerMetadata,
}: Piece<"tool-approval-request">): Part {
  return { custom: { toolApprovalRequest: { id, ref } }, ...metadataOf(providerMetadata) };
}

function urlOf(data: FileData | FileDataV4, mediaType: string): string {
  if (typeof data === "string") return `data:${mediaType};base64,${data}`;
  if (data instanceof URL) return data.href;
  if (data instanceof Uint8Array) return urlOf(Buffer.from(data).toString("base64"), mediaType);
  return urlOf(data.type === "url" ? data.url : data.data, mediaType);
}
