import type { SessionMeta, StoreTime, TurnMeta } from "@agents/schema/port";

/** Number of a column of the record's line, from 0: where a long text stands, outside of the JSON. */
export type Column = number;

/** So many columns in a row, from the first. */
export type ColumnRun = readonly [first: Column, count: number];

export type Status = TurnMeta["status"];
export type FinalStatus = Exclude<Status, "pending" | "aborting">;

/** Of every record. */
interface Written {
  /** The writer's clock. */
  readonly at: StoreTime;
  /** Where two writers could write the same: whose how many-th record it is. */
  readonly by?: string;
}

/** Takes effect only if this is the journal's revision, and raises it: whoever decided on an older state is refused. */
interface Conditional extends Written {
  readonly if: number;
}

interface OfSession {
  /** A session's number in the journal. @default 0 */
  readonly s?: number;
}

/** A turn by its session and ordinal. */
interface OfTurn extends OfSession {
  readonly n: number;
}

/**
 * A state and its figures, without names, which would be as long as they are. `messages`: a patch that only adds messages,
 * each in a column of its own.
 */
export type StateField = readonly [
  kind: "full" | "patch" | "messages",
  text: ColumnRun,
  stateHash: string,
  messagesDigest: string,
  stateBytes: number,
  loadBytes: number,
  loadRows: number,
];

/** A text that stands in a column, or in the middle of one: it is not written twice. */
export type InputField = Column | readonly [column: Column, firstByte: number, bytes: number];

/** How a turn ends. */
export interface EndField {
  readonly status: FinalStatus;
  readonly result: string;
  readonly state?: StateField;
  readonly events?: ColumnRun;
  readonly waiting?: true;
  /** The turn can be continued by sends to the session. */
  readonly resumable?: true;
}

/** A live turn that nobody holds any more. `until` is the lease that was seen to have run out: a renewed one refuses. */
export interface StaleField extends OfTurn {
  readonly until: StoreTime;
  readonly end: EndField;
}

export interface NewSessionField {
  readonly id: string;
  readonly agent: string;
  readonly owner?: string;
  readonly fingerprint?: string;
  readonly metadata?: string;
}

/** What leases last where a record does not say. */
export const USUAL_LEASE_MS = 60_000;

export interface BeginRecord extends Conditional, OfSession {
  readonly t: "begin";
  /** Made by this record. */
  readonly session?: NewSessionField;
  /** What its snapshot's id has after the route. */
  readonly id: string;
  /** @default the session's */
  readonly agent?: string;
  /** Ordinal of the turn that it continues. @default the head; and the turn becomes the active one unless another stays it */
  readonly branch?: number;
  /** @default the snapshot's id */
  readonly writer?: string;
  readonly fingerprint?: string;
  /** @default USUAL_LEASE_MS */
  readonly lease?: number;
  readonly input: InputField;
  readonly events?: ColumnRun;
  readonly close?: StaleField;
  readonly interrupt?: number;
}

export interface SettleRecord extends Conditional, OfTurn {
  readonly t: "settle";
  /** The number of its first event, where it has any. */
  readonly first?: number;
  readonly end: EndField;
}

export interface AppendRecord extends Written, OfTurn {
  readonly t: "append";
  readonly epoch: number;
  readonly lease: number;
  readonly first: number;
  readonly events?: ColumnRun;
  readonly progress?: StateField;
}

export interface BeatRecord extends Written {
  readonly t: "beat";
  readonly lease: number;
  readonly turns: readonly (readonly [s: number, n: number, epoch: number])[];
}

export interface AbortRecord extends Conditional, OfTurn {
  readonly t: "abort";
}

export interface CloseRecord extends Conditional {
  readonly t: "close";
  readonly close: StaleField;
}

export interface ClaimRecord extends Conditional, OfTurn {
  readonly t: "claim";
  readonly until: StoreTime;
  readonly writer: string;
  readonly lease: number;
}

export interface CreateRecord extends Conditional, OfSession {
  readonly t: "create";
  readonly session: NewSessionField;
}

export interface UpdateRecord extends Conditional, OfSession {
  readonly t: "update";
  readonly metadata?: string;
  readonly state?: SessionMeta["state"];
}

export interface DeleteRecord extends Conditional, OfSession {
  readonly t: "delete";
}

export interface PruneRecord extends Conditional, OfSession {
  readonly t: "prune";
  /** Ordinals of rows that go. */
  readonly rows: readonly number[];
  /** Ordinals of rows whose events go. */
  readonly logs: readonly number[];
}

/** A session as a whole: imported, or carried over from the journal before. */
export interface WholeRecord extends Conditional, OfSession {
  readonly t: "whole";
  readonly session: NewSessionField & {
    readonly state: SessionMeta["state"];
    readonly createdAt: StoreTime;
    readonly updatedAt: StoreTime;
    readonly lastOrdinal: number;
    readonly head?: number;
    readonly active?: number;
    readonly forked?: true;
  };
  readonly turns: readonly WholeTurn[];
}

export interface WholeTurn {
  /** What its snapshot's id has after the route. */
  readonly id: string;
  readonly n: number;
  readonly agent: string;
  readonly parentId?: string;
  readonly parent?: number;
  readonly trunkId?: string;
  readonly fingerprint?: string;
  readonly createdAt: StoreTime;
  readonly updatedAt: StoreTime;
  readonly status: Status;
  readonly version: number;
  readonly epoch: number;
  readonly lastSeq: number;
  readonly result?: string;
  readonly waiting?: true;
  readonly resumable?: true;
  readonly state?: StateField;
  readonly events?: readonly (readonly [first: number, epoch: number, run: ColumnRun])[];
  readonly live?: {
    readonly writer: string;
    readonly until: StoreTime;
    readonly beatAt: StoreTime;
    readonly input: Column;
    readonly opening?: Opening;
  };
}

/** What the begin of a live turn did to another one: its repeat says so again. */
export interface Opening {
  readonly closed?: string;
  readonly interrupted?: string;
}

/** First line of a journal that follows another: numbers go on where they were. */
export interface BaseRecord extends Written {
  readonly t: "base";
  readonly nextSession: number;
}

/** Last record of a journal: it goes on in the file named. Takes effect only if nothing has, after what was carried over. */
export interface MovedRecord extends Conditional {
  readonly t: "moved";
  readonly effects: number;
  readonly to: string;
}

export type JournalRecord =
  | BeginRecord
  | SettleRecord
  | AppendRecord
  | BeatRecord
  | AbortRecord
  | CloseRecord
  | ClaimRecord
  | CreateRecord
  | UpdateRecord
  | DeleteRecord
  | PruneRecord
  | WholeRecord
  | BaseRecord
  | MovedRecord;

/** As it is decided upon, before a journal stamps it. */
export type Unwritten<Record extends JournalRecord = JournalRecord> = Record extends JournalRecord
  ? Omit<Record, "by" | "if" | "effects">
  : never;
