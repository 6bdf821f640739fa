import type { SnapshotCalls } from "../snapshot/snapshot-calls.ts";
import type { Settings } from "../transport/settings.ts";

/** One agent of one server. */
export interface RemoteCalls<Custom> {
  readonly settings: Settings;
  readonly name: string;
  readonly snapshots: SnapshotCalls<Custom>;
}
