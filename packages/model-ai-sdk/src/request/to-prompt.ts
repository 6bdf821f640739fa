import type { Media, Message, Metadata, Part, Role, ToolResponse } from "@agents/schema/agent";
import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";
import { IS_ERROR, providerOptionsOf } from "../provider/part-metadata.ts";
import type { ProviderModel } from "../provider/provider-model.ts";
import { type LoadMedia, tagged, toFileData } from "./file-data.ts";
import { toolCallIds } from "./tool-call-ids.ts";

export interface PromptOptions {
  readonly model: ProviderModel;
  readonly loadMedia: LoadMedia | undefined;
  readonly trustUserMetadata: boolean;
  readonly signal: AbortSignal;
  /** Told of each kind of part that was left out. */
  readonly warn: (text: string) => void;
}

/** A part's place in the request. */
interface Place {
  readonly role: Role;
  readonly callId: string;
}

type Content = Exclude<LanguageModelV3Message["content"], string>[number];

/**
 * Messages as the provider's package takes them. What a provider said of a part goes back with it. Messages that have
 * nothing to say are left out, because providers refuse them. What users and their answers to tools ask of the provider
 * counts only if they are trusted: some packages write it over the message, its role included.
 */
export async function toPrompt(messages: readonly Message[], options: PromptOptions): Promise<LanguageModelV3Prompt> {
  const ids = toolCallIds(messages);
  const prompt: LanguageModelV3Prompt = [];
  for (const [m, { role, content, metadata }] of messages.entries()) {
    const trusted = options.trustUserMetadata || role === "system" || role === "model";
    const parts: Content[] = [];
    for (const [p, part] of content.entries()) {
      const converted = await toContent(part, { role, callId: ids.at(m, p) }, options);
      if (converted !== undefined)
        parts.push({ ...converted, ...(trusted && providerOptionsOf(part.metadata)) } as Content);
      else if (!isSilent(part)) options.warn(leftOut(part, role));
    }
    if (parts.length === 0) continue;
    prompt.push({ ...toMessage(role, parts), ...(trusted && providerOptionsOf(metadata && asked(metadata))) });
  }
  return prompt;
}

const ROLE = { user: "user", model: "assistant", tool: "tool" } as const;

function toMessage(role: Role, parts: Content[]): LanguageModelV3Message {
  if (role !== "system") return { role: ROLE[role], content: parts } as LanguageModelV3Message;
  return { role, content: parts.map((part) => (part.type === "text" ? part.text : "")).join("") };
}

/** What a provider said of a whole answer is for whoever reads it: no provider takes it back. */
function asked({ providerMetadata: _, ...metadata }: Metadata): Metadata {
  return metadata;
}

async function toContent(part: Part, place: Place, options: PromptOptions): Promise<object | undefined> {
  const { role, callId } = place;
  if (part.text !== undefined) return role === "tool" ? undefined : { type: "text", text: part.text };
  if (role === "system") return undefined;
  if (part.toolResponse !== undefined) return role === "tool" ? toResult(part, part.toolResponse, callId) : undefined;
  if (role === "tool") return undefined;
  if (part.media !== undefined) return toFile(part, part.media, role, options);
  if (role === "model") {
    if (part.reasoning !== undefined) return { type: "reasoning", text: part.reasoning };
    if (part.toolRequest !== undefined) {
      const { name, input } = part.toolRequest;
      return { type: "tool-call", toolCallId: callId, toolName: name, input: toInput(input) };
    }
    if (part.custom !== undefined) return toOwnContent(part.custom, options.model);
  }
  // JSON is what every model reads.
  return part.data === undefined ? undefined : { type: "text", text: JSON.stringify(part.data) };
}

/** Providers take objects only. The model sees what it wrote, and the tool's answer says what is wrong with it. */
function toInput(input: unknown): unknown {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  return input === undefined ? {} : { malformedInput: input };
}

function toResult(part: Part, { name, output }: ToolResponse, callId: string): object {
  return {
    type: "tool-result",
    toolCallId: callId,
    toolName: name,
    output: toOutput(output, part.metadata?.[IS_ERROR] === true),
  };
}

function toOutput(output: unknown, failed: boolean): LanguageModelV3ToolResultOutput {
  if (typeof output === "string") return { type: failed ? "error-text" : "text", value: output };
  const value = (output ?? null) as null;
  return { type: failed ? "error-json" : "json", value };
}

async function toFile(part: Part, media: Media, role: Role, options: PromptOptions): Promise<object> {
  const { model, loadMedia, signal } = options;
  const { data, mediaType } = await toFileData({ media, model, loadMedia, signal });
  if (model.specificationVersion === "v3") return { type: "file", data, mediaType } satisfies LanguageModelV3FilePart;
  const reasoning = role === "model" && part.metadata?.["reasoning"] === true;
  return { type: reasoning ? "reasoning-file" : "file", data: tagged(data), mediaType };
}

/**
 * What was made of an answer's parts that have no kind of ours. Only for the provider that they came from: to another, a
 * call that it should have run itself is one that nobody answered.
 */
function toOwnContent(custom: Metadata, { provider, specificationVersion }: ProviderModel): object | undefined {
  const call = custom["providerToolCall"] as OwnRecord | undefined;
  const result = custom["providerToolResult"] as OwnRecord | undefined;
  const content = custom["providerContent"] as OwnRecord | undefined;
  if (call?.provider === provider) {
    const { name: toolName, ref: toolCallId, input } = call;
    return { type: "tool-call", toolCallId, toolName, input: toInput(input), providerExecuted: true };
  }
  if (result?.provider === provider) {
    const { name: toolName, ref: toolCallId, result: output, isError = false } = result;
    return { type: "tool-result", toolCallId, toolName, output: toOutput(output, isError) };
  }
  if (content?.provider === provider && specificationVersion === "v4") return { type: "custom", kind: content.kind };
  return undefined;
}

interface OwnRecord {
  readonly provider: string;
  readonly name: string;
  readonly ref: string;
  readonly kind: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly isError?: boolean;
}

/** Sources tell a reader where an answer comes from; the application's own custom parts are not the model's business. */
function isSilent(part: Part): boolean {
  return part.custom !== undefined || Object.keys(part).every((key) => key === "metadata");
}

function leftOut(part: Part, role: Role): string {
  const kind = Object.keys(part).find((key) => key !== "metadata") ?? "nothing";
  return `A part with ${kind} in a message of role ${role} was left out: no provider takes it there.`;
}
