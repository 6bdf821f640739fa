import type { AgentContext, Store } from "@agents/schema/port";
import type * as z from "zod";
import type { HistoryPolicy } from "../history/history-policy.ts";
import type { AgentFunction } from "../invocation/agent-spec.ts";
import type { ClientTransform } from "../invocation/client-transform.ts";
import type { MediaOffload } from "../invocation/offload-media.ts";
import type { SnapshotPolicy } from "../invocation/snapshot-policy.ts";
import type { TurnLimits } from "../invocation/turn-limits.ts";
import type { PromptWords } from "../prompt/define-prompt.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { Concurrency } from "../turn/turn-desk.ts";
import type { Agent } from "./agent.ts";
import type { AgentLookUp, BoundAgent } from "./agent-look-up.ts";

/** What every kind of agent can be told. The type of its custom state follows from `stateSchema`. */
export interface AgentOptions<Custom = unknown, Status = unknown> {
  /** 1 to 128 letters, digits, `_`, `.`, `-`. It is part of routes and stands on every row. */
  readonly name: string;
  readonly description?: string;
  /** For those who list agents. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where its sessions live. @default the store of `createAgents`; without one the client carries the state */
  readonly store?: Store;
  /** "client": there is no store, even if `createAgents` has one. @default "server" where there is a store */
  readonly stateManagement?: "server" | "client";
  /** Checks the custom state when it is loaded and when a turn ends. Must be synchronous. */
  readonly stateSchema?: z.ZodType<Custom>;
  /** Checks what `sendStatus` is given. */
  readonly statusSchema?: z.ZodType<Status>;
  /** The custom state of a new session, or a function that makes it for the caller. */
  readonly initialCustom?: NoInfer<Custom> | ((context: AgentContext) => NoInfer<Custom>);
  /**
   * "settled": failed and aborted turns can be continued from, too; a failed one keeps the user's message.
   * @default "completed"
   */
  readonly resumeFrom?: "completed" | "settled";
  /** When a turn of the session is running and another message is sent to it. @default "reject" */
  readonly concurrency?: Concurrency;
  /** When a session has branches and a message is sent to it: the newest branch, or FAILED_PRECONDITION. @default "newest" */
  readonly ifForked?: "newest" | "reject";
  /** When a state is stored. @default every successful turn */
  readonly snapshot?: SnapshotPolicy<NoInfer<Custom>>;
  /** What clients see, where it differs from what is stored. */
  readonly clientTransform?: ClientTransform<NoInfer<Custom>, NoInfer<Status>>;
  /** What one turn may use. @default no limits */
  readonly limits?: TurnLimits;
  /** Keeps large inline media out of the state. */
  readonly media?: MediaOffload;
}

/** The type of the custom state follows from its schema; the initial value has to fit. */
export type SchemaAgentOptions<Custom, Status> = AgentOptions<Custom, Status> & {
  readonly stateSchema: z.ZodType<Custom>;
};

/** Without a schema, the type of the custom state is that of its initial value. */
export type PlainAgentOptions<Custom, Status> = Omit<AgentOptions<Custom, Status>, "stateSchema" | "initialCustom"> & {
  readonly stateSchema?: undefined;
  readonly initialCustom?: Custom | ((context: AgentContext) => Custom);
};

/** Two ways to say what the custom state is; the rest is the same. */
export interface DefineAgent<Made extends "agent" | "definition"> {
  <Custom, Status = unknown>(
    options: SchemaAgentOptions<Custom, Status>,
    run: AgentFunction<NoInfer<Custom>, NoInfer<Status>>,
  ): Made extends "agent" ? Agent<Custom, Status> : AgentDefinition<Custom, Status>;
  <Custom = unknown, Status = unknown>(
    options: PlainAgentOptions<Custom, Status>,
    run: AgentFunction<NoInfer<Custom>, NoInfer<Status>>,
  ): Made extends "agent" ? Agent<Custom, Status> : AgentDefinition<Custom, Status>;
}

/** The same for agents whose loop is ours; `More` is what they can be told besides. */
export interface DefineConversation<Made extends "agent" | "definition", More extends "words" | "prompt"> {
  <Custom, Status = unknown>(
    options: SchemaAgentOptions<Custom, Status> & ConversationOptions<Custom>[More],
  ): Made extends "agent" ? Agent<Custom, Status> : AgentDefinition<Custom, Status>;
  <Custom = unknown, Status = unknown>(
    options: PlainAgentOptions<Custom, Status> & ConversationOptions<Custom>[More],
  ): Made extends "agent" ? Agent<Custom, Status> : AgentDefinition<Custom, Status>;
}

interface ConversationOptions<Custom> {
  /** The prompt is written with the agent. */
  readonly words: PromptWords<undefined, NoInfer<Custom>> & HistoryOptions;
  /** The prompt is one that is registered, or given; what the agent asks for counts instead of what the prompt does. */
  readonly prompt: Omit<PromptWords, "system" | "messages"> & HistoryOptions & PromptChoice;
}

interface HistoryOptions {
  /** What of a long conversation the model is shown; what is stored stays. @default all of it */
  readonly history?: HistoryPolicy;
}

interface PromptChoice {
  /** A registered prompt by its name, or one itself. @default the one with the agent's name */
  readonly prompt?: string | Prompt;
  /** What the prompt is rendered with. Checked before the first turn. */
  readonly promptInput?: unknown;
}

/** An agent that is not registered anywhere yet. */
export interface AgentDefinition<Custom = unknown, Status = unknown> {
  readonly options: AgentOptions<Custom, Status>;
  readonly bind: (lookUp: AgentLookUp) => BoundAgent<Custom, Status>;
}
