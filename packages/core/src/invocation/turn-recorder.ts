import type { AgentInput, FinishReason, Usage } from "@agents/schema/agent";
import type { AgentError, WireError } from "@agents/schema/error";
import type { KeptState } from "../session/live-session.ts";
import type { State } from "../state/state.ts";
import type { TurnLog } from "../turn/turn-log.ts";

export interface RecordedStart<Custom> {
  readonly snapshotId: string | undefined;
  readonly parentSnapshotId: string | undefined;
  /**
   * The state to start from, where it is not the one that this invocation holds: at its first turn, and when another
   * invocation has added a turn meanwhile. Throws where it cannot be rebuilt.
   */
  readonly load: () => State<Custom> | undefined;
}

/** Why a turn failed: the row keeps it as it is, the log and the client get it as they may see it. */
export interface TurnError {
  readonly stored: WireError;
  readonly shown: WireError;
}

export interface TurnOutcome<Custom> {
  readonly status: "completed" | "failed" | "aborted";
  readonly finishReason: FinishReason;
  readonly error?: TurnError | undefined;
  readonly usage: Usage;
  /** What the row keeps. Absent: nothing of its own. */
  readonly kept?: KeptState<Custom> | undefined;
  /** What it keeps instead if somebody asked for the turn to stop. */
  readonly keptIfAborted?: KeptState<Custom> | undefined;
}

export interface RecordedEnd {
  /** What was written: an abort that came before wins. */
  readonly status: "completed" | "failed" | "aborted";
  /** The snapshot, if it can be continued from. */
  readonly snapshotId: string | undefined;
  readonly position: string | undefined;
  /** Whether a state was stored with it. */
  readonly stored: boolean;
}

/** Why an invocation has no first turn. `thrown`: the call was wrong; otherwise it is an outcome. */
export class StartRefused extends Error {
  constructor(
    readonly error: AgentError,
    readonly thrown: boolean,
    readonly sessionId: string | undefined,
  ) {
    super(error.message);
  }
}

/** How the turns of one invocation are recorded: as rows of a store, or in the state that the client carries. */
export interface TurnRecorder<Custom> {
  /** Undefined before the first turn of a branch. */
  readonly sessionId: string | undefined;
  /** A turn is begun and not settled. */
  readonly isOpen: boolean;
  /** Its log. Undefined without one, and from the moment it settles. */
  readonly log: TurnLog | undefined;
  /** Throws StartRefused. */
  begin(input: AgentInput, turnIndex: number): Promise<RecordedStart<Custom>>;
  /** A record without a turn, for what changed after the last one. It never waits for another's turn or interrupts it. */
  beginEnd(turnIndex: number): Promise<RecordedStart<Custom>>;
  settle(outcome: TurnOutcome<Custom>): Promise<RecordedEnd>;
  /** Lets go of a turn that is not ours any more. */
  abandon(): void;
  /** The state stored last. */
  readonly lastStored: State<Custom> | undefined;
  /** Server-managed: the snapshot to continue from, and those that this invocation made. */
  readonly snapshots: { readonly last: string | undefined; readonly made: readonly string[] } | undefined;
}
