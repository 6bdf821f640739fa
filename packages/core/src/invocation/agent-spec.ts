import type { AgentChunk, AgentInit, AgentResult } from "@agents/schema/agent";
import type { AgentContext } from "@agents/schema/port";
import type * as z from "zod";
import type { AgentSession } from "../session/agent-session.ts";
import type { ClientTransform } from "./client-transform.ts";
import type { MediaOffload } from "./offload-media.ts";
import type { SnapshotPolicy } from "./snapshot-policy.ts";
import type { TurnLimits } from "./turn-limits.ts";

/** What an agent's function works with besides its session. */
export interface AgentCall<Custom = unknown, Status = unknown> {
  /**
   * Streams a chunk; resolves when there is room for more. Not awaited, it is still sent in order. Rejects if a transform
   * fails, or for what is no chunk; the turn then fails with that error, whatever the function does. After abort and
   * detach it returns at once. A chunk that was sent is not to be changed any more: it is handed on as it is.
   */
  sendChunk(chunk: AgentChunk<Status>): Promise<void>;
  /** Streams a status; checked by the agent's `statusSchema`. Otherwise the same. */
  sendStatus(status: Status): Promise<void>;
  /** Aborted when the work is to stop: by the caller, an abort by id, a limit, or a lost lease. */
  readonly abortSignal: AbortSignal;
  readonly context: AgentContext;
  /** What the invocation was started with. */
  readonly init: AgentInit<Custom>;
}

/** Owns the loop: calls `session.run`, and returns what the output shows. */
export type AgentFunction<Custom = unknown, Status = unknown> = (
  session: AgentSession<Custom>,
  call: AgentCall<Custom, Status>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing gives the session's own result.
) => Promise<AgentResult | void>;

/** An agent, as an invocation needs to know it. */
export interface AgentSpec<Custom = unknown, Status = unknown> {
  readonly name: string;
  readonly run: AgentFunction<Custom, Status>;
  readonly stateSchema: z.ZodType<Custom> | undefined;
  readonly statusSchema: z.ZodType<Status> | undefined;
  readonly initialCustom: Custom | ((context: AgentContext) => Custom) | undefined;
  readonly resumeFrom: "completed" | "settled";
  readonly snapshot: SnapshotPolicy<Custom>;
  readonly clientTransform: ClientTransform<Custom, Status> | undefined;
  readonly limits: TurnLimits;
  readonly media: MediaOffload | undefined;
  /** Whether spans carry the custom state. */
  readonly recordState: boolean;
}
