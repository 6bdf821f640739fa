import type { SessionLifecycle } from "../../wire/index.ts";
import type { StoreTime } from "./turn-record.ts";

export interface SessionMeta {
  readonly sessionId: string;
  /** The agent of its first turn, or the one it was created for. */
  readonly agent: string;
  readonly state: SessionLifecycle;
  /** JSON text, opaque to the store. */
  readonly metadata?: string;
  readonly owner?: string;
  readonly headId?: string;
  /** The turn that sends by sessionId wait for, interrupt, or are refused by. */
  readonly activeId?: string;
  readonly createdAt: StoreTime;
  readonly updatedAt: StoreTime;
}
