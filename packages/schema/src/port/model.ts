import type { FinishReason, Message, Metadata, ModelChunk, Usage } from "../agent/index.ts";

export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input. */
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

export interface ModelRequest {
  /**
   * System messages included, in the order they are to be sent. Tool requests and answers are balanced. A tool response
   * whose part has `metadata.isError` says what went wrong instead of an output.
   */
  readonly messages: readonly Message[];
  readonly tools?: readonly ModelTool[];
  /** @default "auto" when there are tools */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string };
  /** JSON Schema that the answer's text should be JSON of. A hint: the caller checks the answer. */
  readonly outputSchema?: unknown;
  /** Temperature and the like, by the provider's own names. */
  readonly config?: Metadata;
}

export interface ModelResponse {
  /**
   * Of role model. Metadata of its parts is kept in history and sent back on the next call. A tool request whose input was
   * no JSON has its text as input, and `metadata.malformedInput` says why.
   */
  readonly message: Message;
  readonly finishReason: FinishReason;
  readonly usage?: Usage;
  /** What the provider could not honour, in words. */
  readonly warnings?: readonly string[];
}

export interface ModelCall {
  /** Stops the call. The promise then rejects with `signal.reason`. */
  readonly signal: AbortSignal;
  /**
   * Takes pieces of the answer as they arrive; wait for it, because it waits for a slow reader. Absent: nobody looks,
   * and the model may use a call that does not stream.
   */
  readonly sendChunk?: (chunk: ModelChunk) => Promise<void>;
}

/**
 * A language model. One method, so that an adapter is one function: the response is always whole, whether or not it was
 * streamed as well. Rejects with an AgentError: RESOURCE_EXHAUSTED (with `details.retryAfterMs` when the provider said
 * so), UNAUTHENTICATED, UNAVAILABLE, INVALID_ARGUMENT.
 */
export interface Model {
  /** For spans and messages: "gpt-5", "claude-4". */
  readonly name: string;
  generate(request: ModelRequest, call: ModelCall): Promise<ModelResponse>;
}
