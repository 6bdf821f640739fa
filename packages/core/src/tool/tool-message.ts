import type { Message, Metadata, Part, ToolRequestPart, ToolResponsePart } from "@agents/schema/agent";
import type { ToolResult } from "./tool-outcome.ts";

export function isToolRequest(part: Part): part is ToolRequestPart {
  return part.toolRequest !== undefined;
}

export function toolRequestsOf({ content }: Message): ToolRequestPart[] {
  return content.filter(isToolRequest);
}

/** The answer of one call, as the model reads it. */
export function toolResponsePart({ toolRequest }: ToolRequestPart, result: ToolResult): ToolResponsePart {
  const { name, ref } = toolRequest;
  const called = ref === undefined ? { name } : { name, ref };
  if (result.type === "completed") {
    const { output, metadata } = result;
    const toolResponse = output === undefined ? called : { ...called, output };
    return metadata === undefined ? { toolResponse } : { toolResponse, metadata };
  }
  return errorResponsePart({ toolRequest }, result);
}

/** The answer of a call that has no output: what the model should know instead. */
export function errorResponsePart(
  { toolRequest: { name, ref } }: Pick<ToolRequestPart, "toolRequest">,
  { message, details }: { readonly message: string; readonly details?: unknown },
): ToolResponsePart {
  const called = ref === undefined ? { name } : { name, ref };
  const error = details === undefined ? { message } : { message, details };
  return { toolResponse: { ...called, output: { error } }, metadata: { isError: true } };
}

/** All answers of one model message form one message, in the order of the calls. */
export function toolMessage(parts: readonly ToolResponsePart[]): Message {
  return { role: "tool", content: [...parts] };
}

/** A request part with other metadata; without any, none is left. */
export function withMetadata(part: ToolRequestPart, metadata: Metadata): ToolRequestPart {
  const { metadata: _, ...bare } = part;
  return Object.keys(metadata).length === 0 ? bare : { ...bare, metadata };
}
