import type { PatchOperation } from "@agents/schema/patch";
import type { Clock, SessionMeta, StateFigures, StoredEvent, StoreTime } from "@agents/schema/port";
import { ChangeOrder, type Slot } from "./change-order.ts";
import type { HintBoard } from "./hint-board.ts";
import type { Limits } from "./limits.ts";
import type { CursorSeal } from "./page-cursor.ts";
import type { FinalStatus, StoredStatus } from "./status-moves.ts";

/** Everything a store holds. Rows are changed in place; what leaves the store is made from them afresh. */
export interface Tables {
  readonly clock: Pick<Clock, "now">;
  readonly scoped: boolean;
  readonly limits: Limits;
  readonly hints: HintBoard;
  readonly cursors: CursorSeal;
  readonly scopes: Map<string, ScopeTable>;
  /** Sessions with neither a live turn nor one that waits for a person: the oldest is evicted first. */
  readonly evictable: ChangeOrder<SessionRow>;
  /** Settled turns that still have events: the longest settled loses them first. */
  readonly logged: ChangeOrder<TurnRow>;
  /** What limits have cost so far. */
  readonly evicted: { sessions: number; turns: number; logs: number };
  sessionCount: number;
  eventCount: number;
  closed: boolean;
}

export interface ScopeTable {
  readonly scope: string;
  readonly sessions: Map<string, SessionRow>;
  readonly turns: Map<string, TurnRow>;
  readonly order: ChangeOrder<SessionRow>;
}

export interface SessionRow {
  readonly table: ScopeTable;
  readonly sessionId: string;
  readonly agent: string;
  readonly owner: string | undefined;
  readonly fingerprint: string | undefined;
  readonly createdAt: StoreTime;
  updatedAt: StoreTime;
  state: SessionMeta["state"];
  metadata: string | undefined;
  lastOrdinal: number;
  head: TurnRow | undefined;
  /** The turn that sends to the session meet. Live, always. */
  active: TurnRow | undefined;
  /** Two turns that can be continued are no ancestors of one another. Stays, once true. */
  forked: boolean;
  /** How many turns wait for a person. */
  waiting: number;
  /** By ordinal. */
  turns: TurnRow[];
  /** Few, and in no order. */
  live: TurnRow[];
  /** Per final status the turn with the highest ordinal, so that "the latest completed" is no search. */
  readonly newest: Record<FinalStatus, TurnRow | undefined>;
  /** Its places in the orders of the tables. */
  listed: Slot<SessionRow> | undefined;
  evictable: Slot<SessionRow> | undefined;
}

export interface TurnRow {
  readonly session: SessionRow;
  readonly snapshotId: string;
  readonly agent: string;
  readonly owner: string | undefined;
  readonly fingerprint: string | undefined;
  readonly parentId: string | undefined;
  /** The nearest ancestor that counted as a head when it settled. */
  readonly trunkId: string | undefined;
  readonly ordinal: number;
  readonly createdAt: StoreTime;
  updatedAt: StoreTime;
  status: StoredStatus;
  version: number;
  epoch: number;
  /** Who began it, or claimed it last: known again when the call is repeated. */
  writer: string;
  /** What begin answered, for its repeat; dropped when the turn ends. */
  opening: Opening | undefined;
  leaseUntil: StoreTime;
  heartbeatAt: StoreTime | undefined;
  /** Emptied when the turn ends: only `claim` asks for it. */
  input: string;
  result: string | undefined;
  /** The state to start from. Kept by reference, so that no ancestor has to outlive this row; dropped once it settled with a state. */
  start: SavedState | undefined;
  /** The state of this row: progress while live, the outcome's content afterwards. */
  saved: SavedState | undefined;
  /** Waits for a person, and no child of it has completed. */
  waiting: boolean;
  /** Its status was one of `heads` when it settled. */
  resumable: boolean;
  lastSeq: number;
  /** Event n is at n - 1; emptied as a whole. */
  events: StoredEvent[];
  logged: Slot<TurnRow> | undefined;
}

export interface Opening {
  /** The row itself: it is answered again even if it was dropped meanwhile. */
  readonly parent: TurnRow | undefined;
  readonly replaced: { readonly closed: string } | { readonly interrupted: string } | undefined;
}

/**
 * A state, whole or as the change against its base. Bases are held by reference and not by row: a row may be dropped
 * while states build on its own, which is gone when the last of them is.
 */
export type SavedState = {
  readonly snapshotId: string;
  readonly figures: StateFigures;
  /** How many states a load reads, this one included. */
  readonly depth: number;
} & (
  | { readonly kind: "value"; readonly value: unknown; readonly base: undefined }
  | { readonly kind: "operations"; readonly operations: readonly PatchOperation[]; readonly base: SavedState }
);

export function createTables(parts: Pick<Tables, "clock" | "scoped" | "limits" | "hints" | "cursors">): Tables {
  return {
    ...parts,
    scopes: new Map(),
    evictable: new ChangeOrder(),
    logged: new ChangeOrder(),
    evicted: { sessions: 0, turns: 0, logs: 0 },
    sessionCount: 0,
    eventCount: 0,
    closed: false,
  };
}
