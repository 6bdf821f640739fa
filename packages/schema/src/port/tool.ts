import type { AgentChunk, Metadata } from "../agent/index.ts";
import type { AgentContext } from "./agent-api.ts";

/** One call of a tool, while it runs. */
export interface ToolCall {
  readonly name: string;
  /** Tells the calls of one turn apart. */
  readonly ref: string;
  /** `turnId:ref`, the same when a turn that lost its worker is run again: for idempotent effects. */
  readonly key: string;
  /** Aborted when the turn is to stop, when the tool's time is up, and when another call of the same message has failed. */
  readonly abortSignal: AbortSignal;
  readonly context: AgentContext;
  /** Only in a call that a person restarted: what they said to it. */
  readonly resumed?: unknown;
  /** Only in such a call: what it interrupted with before. From history, so no client can forge it. */
  readonly interrupted?: Metadata;
  /** Streams progress to whoever follows the turn. */
  sendChunk(chunk: AgentChunk): Promise<void>;
  /** Ends the call until a person answers for it or restarts it. The metadata tells them what it waits for. Throws. */
  interrupt(metadata?: Metadata): never;
}

export type ToolAnswer =
  | { readonly type: "output"; readonly output: unknown; readonly metadata?: Metadata }
  /** Something that the model can put right: it is told, and may call again. */
  | { readonly type: "correction"; readonly message: string; readonly details?: unknown };

/** Something a model may call. Made by `defineTool`, or brought from elsewhere: an MCP server, another agent. */
export interface Tool {
  /** As the model sees it: 1 to 128 letters, digits, `_`, `.`, `-`. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input. */
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly metadata?: Metadata;
  /** Longest time of one call, in milliseconds. @default none */
  readonly timeoutMs?: number;
  /** Checks the input itself. Rejects when the work failed: that fails the turn. */
  call(input: unknown, call: ToolCall): Promise<ToolAnswer>;
  /** Checks an output that a person supplied instead. Throws INVALID_ARGUMENT naming the path. */
  checkOutput?(output: unknown): unknown;
}

/** Tools that may change while an agent is defined: those of a server, for one. Each turn takes what is there when it starts. */
export interface ToolSource {
  readonly tools: readonly Tool[];
}
