import type { AgentInit } from "@agents/schema/agent";
import type { AgentContext, Caller, Clock, IdSource, PositionedChunk, Telemetry } from "@agents/schema/port";
import type { Claimed } from "../turn/claim-turn.ts";
import type { TurnQueue } from "../turn/queue-turn.ts";
import type { TurnDesk } from "../turn/turn-desk.ts";
import type { AgentSpec } from "./agent-spec.ts";
import type { DetachSwitch } from "./detach-switch.ts";
import type { Inbox } from "./inbox.ts";
import type { StopSwitch } from "./stop-switch.ts";

export interface InvocationOptions<Custom, Status> {
  readonly spec: AgentSpec<Custom, Status>;
  /** Server-managed: where its turns are written, and who waits for them here. */
  readonly stored: { readonly desk: TurnDesk; readonly queue: TurnQueue } | undefined;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly telemetry: Telemetry;
  readonly context: AgentContext;
  readonly caller: Caller;
  /** Checked: fits its schema and the agent's state management. */
  readonly init: AgentInit<Custom>;
  readonly inbox: Inbox;
  readonly sendChunk: (chunk: PositionedChunk<Status>) => Promise<void>;
  readonly stop: StopSwitch;
  readonly detach: DetachSwitch;
  readonly onTurn: (snapshotId: string) => void;
  /** The first turn is one that another process left. */
  readonly claimed: Claimed | undefined;
}
