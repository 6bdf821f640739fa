import type { TurnOptions } from "@agents/schema/port";
import type { SnapshotCalls } from "../snapshot/snapshot-calls.ts";
import type { Settings } from "../transport/settings.ts";

/** Where a turn starts from, and for whom. */
export interface RemoteTurnOptions<Custom = unknown> extends TurnOptions<Custom> {
  /** Called with each turn's id when the server has named it: from here on it can be followed or aborted. Must not throw. */
  readonly onTurn?: (turnId: string) => void;
}

/** One agent of one server. */
export interface RemoteCalls<Custom> {
  readonly settings: Settings;
  readonly name: string;
  readonly snapshots: SnapshotCalls<Custom>;
}
