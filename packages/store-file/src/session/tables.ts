import type { SessionMeta, StoreTime } from "@agents/schema/port";
import type { Text } from "../record/line.ts";
import type { Opening, StateField, Status } from "../record/record.ts";

/** What a journal says: the sessions of one route, most often a single one. Made by replaying it, and by nothing else. */
export interface Tables {
  /** How many conditional records took effect. */
  revision: number;
  /** How many records of any kind did. */
  effects: number;
  nextSession: number;
  /** Bytes that no row speaks of any more: what a new journal would leave behind. */
  garbage: number;
  /** The file in which the journal goes on; nothing after that record counts. */
  movedTo: string | undefined;
  readonly sessions: Map<string, SessionRow>;
  readonly numbers: Map<number, SessionRow>;
  readonly turns: Map<string, TurnRow>;
  /** Called after every change of a turn that a follower may wait for. */
  readonly changed: (turn: TurnRow) => void;
  /** Where its snapshots' ids start: `<route>.`. */
  readonly prefix: string;
}

export interface SessionRow {
  readonly number: number;
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
  /** By ordinal. */
  turns: TurnRow[];
  readonly ordinals: Map<number, TurnRow>;
}

export interface TurnRow {
  readonly session: SessionRow;
  readonly snapshotId: string;
  readonly agent: string;
  readonly fingerprint: string | undefined;
  readonly parentId: string | undefined;
  /** Its parent's ordinal: the row may be gone, and its id be another's. */
  readonly parent: number | undefined;
  /** The nearest ancestor that had become resumable when this turn began. */
  readonly trunkId: string | undefined;
  readonly ordinal: number;
  readonly createdAt: StoreTime;
  updatedAt: StoreTime;
  status: Status;
  version: number;
  epoch: number;
  lastSeq: number;
  result: string | undefined;
  waiting: boolean;
  resumable: boolean;
  /** Progress while live, the outcome's state afterwards. */
  state: SavedState | undefined;
  events: EventRun[];
  /** Dropped when the turn ends. */
  live: LiveTurn | undefined;
}

export interface LiveTurn {
  /** Who began it, or claimed it last. */
  writer: string;
  /** What its begin did; gone when it was claimed. */
  opening: Opening | undefined;
  leaseUntil: StoreTime;
  beatAt: StoreTime;
  readonly input: Text;
}

export interface SavedState {
  readonly field: StateField;
  /** Its columns, with the tabs between them. */
  readonly text: Text;
}

/** Events that were written by one record: columns in a row. */
export interface EventRun {
  readonly first: number;
  readonly count: number;
  readonly epoch: number;
  readonly text: Text;
}

export function createTables({ route, changed }: { route: string; changed: Tables["changed"] }): Tables {
  return {
    revision: 0,
    effects: 0,
    nextSession: 0,
    garbage: 0,
    movedTo: undefined,
    sessions: new Map(),
    numbers: new Map(),
    turns: new Map(),
    changed,
    prefix: `${route}.`,
  };
}

/** Whether a load starts from it. */
export function isCheckpoint({ state }: TurnRow): boolean {
  return state?.field[0] === "full";
}

/** Undefined for a first turn, and after the parent was dropped. */
export function parentOf({ session, parent }: TurnRow): TurnRow | undefined {
  return parent === undefined ? undefined : session.ordinals.get(parent);
}

export function isLive(turn: TurnRow): turn is TurnRow & { readonly live: LiveTurn } {
  return turn.live !== undefined;
}

/** A lease of 60 s runs out when 60 s have passed, not a moment later. A final row has no lease. */
export function isStale(turn: TurnRow, now: StoreTime): turn is TurnRow & { readonly live: LiveTurn } {
  return turn.live !== undefined && turn.live.leaseUntil <= now;
}
