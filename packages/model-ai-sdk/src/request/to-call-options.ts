import type { Metadata } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { ModelRequest } from "@agents/schema/port";
import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";
import { mergeMetadata } from "../provider/part-metadata.ts";
import type { CallOptions, ProviderModel } from "../provider/provider-model.ts";
import type { LoadMedia } from "./file-data.ts";
import { type CallConfig, toCallConfig } from "./model-config.ts";
import { toPrompt } from "./to-prompt.ts";

export interface RequestOptions {
  /** Settings of every call; those of a request come over them, one by one, and so do provider options. */
  readonly config?: Metadata;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Tools that the provider runs itself, by the names that the model sees: `{ search: anthropic.tools.webSearch_20250305() }`.
   * What they were asked and answered is in the message as custom parts.
   */
  readonly providerTools?: Readonly<Record<string, object>>;
  /** Reads media URLs that the provider does not read itself. @default http(s) URLs are left to the provider */
  readonly loadMedia?: LoadMedia;
  /**
   * Heed `metadata.providerOptions` of messages of role user and tool, too. Only for applications that write these
   * messages themselves: a client that can could have its message sent as a system prompt. @default false
   */
  readonly trustUserMetadata?: boolean;
}

export interface CallOptionsContext extends Omit<RequestOptions, "config" | "providerTools"> {
  readonly config: CallConfig;
  readonly providerTools: readonly LanguageModelV3ProviderTool[];
  readonly model: ProviderModel;
  readonly signal: AbortSignal;
}

/** A request as the provider's package takes it, and what of it we could not honour. Rejects with INVALID_ARGUMENT. */
export async function toCallOptions(
  request: ModelRequest,
  { model, signal, loadMedia, config, headers, providerTools, trustUserMetadata = false }: CallOptionsContext,
): Promise<{ options: CallOptions; warnings: readonly string[] }> {
  const warnings = new Set<string>();
  const warn = (text: string): void => void warnings.add(text);
  const asked = toCallConfig(request.config ?? {});
  const providerOptions = mergeMetadata(config.providerOptions, asked.providerOptions);
  const settings: CallConfig = { ...config, ...asked, ...(providerOptions !== undefined && { providerOptions }) };
  if (settings.reasoning !== undefined && model.specificationVersion === "v3") {
    warn("reasoning: this provider's package has no such setting; use providerOptions.");
    delete settings.reasoning;
  }
  const tools: CallOptions["tools"] = [...(request.tools ?? []).map(toFunctionTool), ...providerTools];
  const toolChoice = toToolChoice(request.toolChoice, tools);
  const options: CallOptions = {
    prompt: await toPrompt(request.messages, { model, loadMedia, trustUserMetadata, signal, warn }),
    ...settings,
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(request.outputSchema !== undefined && {
      responseFormat: { type: "json", schema: request.outputSchema as object },
    }),
    ...(headers !== undefined && { headers: { ...headers } }),
    abortSignal: signal,
  };
  return { options, warnings: [...warnings] };
}

function toFunctionTool({ name, description, inputSchema }: NonNullable<ModelRequest["tools"]>[number]) {
  return {
    type: "function",
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as object,
  } satisfies LanguageModelV3FunctionTool;
}

function toToolChoice(
  choice: ModelRequest["toolChoice"],
  tools: readonly { readonly name: string }[],
): LanguageModelV3ToolChoice | undefined {
  if (typeof choice === "object") {
    if (tools.some(({ name }) => name === choice.name)) return { type: "tool", toolName: choice.name };
    const names = tools.map(({ name }) => name).join(", ") || "none";
    throw new AgentError("INVALID_ARGUMENT", `toolChoice names ${choice.name}, and the tools are: ${names}.`);
  }
  if (tools.length === 0) {
    if (choice !== "required") return undefined;
    throw new AgentError("INVALID_ARGUMENT", 'toolChoice is "required", and there are no tools.');
  }
  return choice === undefined ? undefined : { type: choice };
}
