import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";

/**
 * A language model of any AI SDK provider: what `anthropic("…")`, `google("…")` and the like return. It is described by
 * what is used of it, in the third version of their specification and in the fourth, so that nobody needs the package that
 * has the whole of it: that of the fourth wants a newer Node than ours.
 *
 * The fourth differs in how files are carried, in content kinds of its own, and in one more setting.
 */
export interface ProviderModel {
  readonly specificationVersion: "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  /** Patterns of URLs that the provider reads itself, by media type. */
  readonly supportedUrls: PromiseLike<SupportedUrls> | SupportedUrls;
  doGenerate(options: object): PromiseLike<GenerateResult>;
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<{ readonly type: string }> }>;
}

export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>;

export interface GenerateResult {
  readonly content: readonly { readonly type: string }[];
  readonly finishReason: ProviderFinishReason;
  readonly usage: ProviderUsage;
  readonly warnings: readonly { readonly type: string }[];
  readonly providerMetadata?: ProviderMetadata | undefined;
}

export interface ProviderUsage {
  readonly inputTokens: { readonly total: number | undefined; readonly cacheRead: number | undefined };
  readonly outputTokens: { readonly total: number | undefined; readonly reasoning: number | undefined };
}

export interface ProviderFinishReason {
  readonly unified: string;
  readonly raw: string | undefined;
}

/** What both versions take. */
export type CallOptions = LanguageModelV3CallOptions & { reasoning?: string };

/** Kept on parts and given back to the provider that it came from. */
export type ProviderMetadata = Record<string, { [key: string]: Json | undefined }>;

type Json = null | string | number | boolean | Json[] | { [key: string]: Json | undefined };

export type FileData = string | Uint8Array | URL;

export type FileDataV4 = { type: "data"; data: string | Uint8Array } | { type: "url"; url: URL };

/** What is read of the pieces of a stream, in both versions. Pieces of other types are passed over. */
export type StreamPart =
  | ({ type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string } & WithMetadata)
  | ({ type: "text-delta" | "reasoning-delta"; id: string; delta: string } & WithMetadata)
  | { type: "tool-input-start"; id: string }
  | ({
      type: "tool-call";
      toolCallId: string;
      toolName: string;
      input: string;
      providerExecuted?: boolean;
    } & WithMetadata)
  | ToolResult
  | ({ type: "file" | "reasoning-file"; mediaType: string; data: FileData | FileDataV4 } & WithMetadata)
  | ({ type: "source"; id: string } & WithMetadata)
  | ({ type: "custom"; kind: string } & WithMetadata)
  | ({ type: "tool-approval-request"; approvalId: string; toolCallId: string } & WithMetadata)
  | { type: "stream-start"; warnings: readonly ProviderWarning[] }
  | ({ type: "finish"; usage: ProviderUsage; finishReason: ProviderFinishReason } & WithMetadata)
  | { type: "error"; error: unknown };

export interface ToolResult extends WithMetadata {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  result: unknown;
  isError?: boolean;
  preliminary?: boolean;
}

export interface ProviderWarning {
  readonly type: string;
  readonly feature?: string;
  readonly setting?: string;
  readonly details?: string;
  readonly message?: string;
}

interface WithMetadata {
  providerMetadata?: ProviderMetadata | undefined;
}
