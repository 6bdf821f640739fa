import type { AgentMetadata } from "@agents/schema/agent";
import type { Store } from "@agents/schema/port";
import type { AgentSpec } from "../invocation/agent-spec.ts";
import type { TurnQueue } from "../turn/queue-turn.ts";
import type { TurnDesk } from "../turn/turn-desk.ts";
import type { Readiness } from "./readiness.ts";
import type { Runtime } from "./runtime.ts";

/** A defined agent: what it is, and where its turns go. */
export interface AgentCore<Custom, Status> {
  readonly spec: AgentSpec<Custom, Status>;
  readonly runtime: Runtime;
  /** As it was given. Undefined when client-managed. */
  readonly store: Store | undefined;
  /** Server-managed. */
  readonly stored: { readonly desk: TurnDesk; readonly queue: TurnQueue } | undefined;
  /** Checks, until it succeeded once, whether the agent can work at all. Undefined where nothing is to be checked. */
  readonly readiness: Readiness | undefined;
  readonly description: string | undefined;
  readonly metadata: AgentMetadata;
}
