import type { Metadata } from "@agents/schema/agent";
import type { AgentError } from "@agents/schema/error";

/** How one call of a tool ended. */
export type ToolOutcome =
  | { readonly type: "completed"; readonly output: unknown; readonly metadata?: Metadata | undefined }
  /** The model is told, and may call again. */
  | { readonly type: "corrected"; readonly message: string; readonly details?: unknown }
  | ToolInterrupted
  /** The turn fails with it. */
  | { readonly type: "failed"; readonly error: AgentError };

/** A person has to answer. */
export interface ToolInterrupted {
  readonly type: "interrupted";
  readonly metadata: Metadata;
}

/** What the model reads as the answer of a call that is over. */
export type ToolResult = Extract<ToolOutcome, { type: "completed" | "corrected" }>;
