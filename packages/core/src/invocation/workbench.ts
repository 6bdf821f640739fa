import type { AgentContext, Clock, IdSource, PositionedChunk, Telemetry } from "@agents/schema/port";
import type { LiveSession } from "../session/live-session.ts";
import type { AgentSpec } from "./agent-spec.ts";
import type { BoundTransform } from "./client-transform.ts";
import type { DetachSwitch } from "./detach-switch.ts";
import type { Emitter } from "./emitter.ts";
import type { Inbox } from "./inbox.ts";
import type { StopSwitch } from "./stop-switch.ts";
import type { TurnRecorder } from "./turn-recorder.ts";

/** The parts of one invocation, each with its own job; the turns work with all of them. */
export interface Workbench<Custom, Status> {
  readonly spec: AgentSpec<Custom, Status>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly telemetry: Telemetry;
  readonly context: AgentContext;
  readonly transform: BoundTransform<Custom, Status>;
  readonly inbox: Inbox;
  readonly stop: StopSwitch;
  readonly detach: DetachSwitch;
  readonly recorder: TurnRecorder<Custom>;
  readonly live: LiveSession<Custom>;
  readonly emitter: Emitter<Custom, Status>;
  /** Past the emitter: for `turnEnd`, which is logged by settle. */
  readonly sendEnd: (chunk: PositionedChunk<Status>) => Promise<void>;
}
