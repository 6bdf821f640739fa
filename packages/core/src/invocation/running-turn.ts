import type { Usage } from "@agents/schema/agent";
import type { AgentTurn } from "../session/agent-session.ts";
import type { StopSwitch } from "./stop-switch.ts";
import { TurnMeter } from "./turn-limits.ts";
import type { RecordedStart } from "./turn-recorder.ts";
import type { Workbench } from "./workbench.ts";

const NOTHING: Usage = {};

/** A turn as the agent's code sees it, from its start to its end. */
export class RunningTurn<Custom, Status> implements AgentTurn {
  readonly snapshotId: string | undefined;
  readonly parentSnapshotId: string | undefined;
  readonly turnIndex: number;
  readonly recordUsage: (usage: Usage) => void;
  readonly remaining: AgentTurn["remaining"];
  readonly #stop: StopSwitch;
  readonly #meter: TurnMeter;
  readonly #count: (change: 1 | -1) => void;
  #ended = false;

  constructor(
    { spec, clock, telemetry, stop }: Workbench<Custom, Status>,
    start: RecordedStart<Custom>,
    index: number,
  ) {
    this.snapshotId = start.snapshotId;
    this.parentSnapshotId = start.parentSnapshotId;
    this.turnIndex = index;
    this.#stop = stop;
    this.#meter = new TurnMeter(spec.limits, clock, (error) => stop.stop({ ending: "failed", error }));
    this.recordUsage = (usage) => this.#meter.recordUsage(usage);
    this.remaining = () => this.#meter.remaining();
    this.#count = (change) => telemetry.count("agents.turn.active", change, { "gen_ai.agent.name": spec.name });
    this.#count(1);
  }

  get abortSignal(): AbortSignal {
    return this.#stop.signal;
  }

  get usage(): Usage {
    return this.#meter.usage;
  }

  /** Stops its clock. What it used and has not told yet. */
  end(): Usage {
    if (this.#ended) return NOTHING;
    this.#ended = true;
    this.#meter.stop();
    this.#count(-1);
    return this.#meter.usage;
  }
}
