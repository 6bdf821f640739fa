import type { Message, Metadata, ModelChunk } from "@agents/schema/agent";
import type { IdSource, Model, ModelRequest } from "@agents/schema/port";
import type * as z from "zod";
import type { AgentTurn } from "../session/agent-session.ts";
import type { ToolBench } from "../tool/run-tool.ts";

/** Everything that stays the same from one model call of a generation to the next. */
export interface Generation {
  /** Behind its middleware. */
  readonly model: Model;
  readonly tools: ToolBench;
  readonly ids: IdSource;
  readonly signal: AbortSignal;
  /** Takes pieces of answers as they arrive; undefined: nobody looks. */
  readonly sendChunk: ((chunk: ModelChunk) => Promise<void>) | undefined;
  /** The turn that pays for it. */
  readonly turn: AgentTurn | undefined;
  /** What is sent for this history: system and prompt messages around it, a policy applied to it. */
  readonly arrange: (history: readonly Message[]) => Promise<readonly Message[]> | readonly Message[];
  /** Of the first call. Those that follow are free: a tool that is always required would be called for ever. */
  readonly toolChoice: ModelRequest["toolChoice"] | undefined;
  readonly config: Metadata | undefined;
  readonly outputSchema: z.ZodType | undefined;
  /** Of one model call, in milliseconds. */
  readonly timeoutMs: number | undefined;
  /** Most model calls. */
  readonly maxTurns: number;
  /** Tool calls are for the caller to carry out. */
  readonly returnToolRequests: boolean;
}

/** The messages that a generation works on: those of a session, or a list. */
export interface Transcript {
  read(): readonly Message[];
  /** A round is complete: a model message and, if it called tools, their answers. */
  add(...messages: readonly Message[]): void;
}
