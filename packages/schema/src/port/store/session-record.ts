import type { StoredEvent } from "./event-log.ts";
import type { SessionMeta } from "./session-meta.ts";
import type { StateContent, TurnMeta } from "./turn-record.ts";

/** A session as a store keeps it, whole: what moves it to another store. */
export interface SessionRecord<Content extends StateText | StateContent> {
  /** Without `activeId`: what is live cannot be moved. */
  readonly session: SessionMeta & {
    /** As `createSession` was given it. */
    readonly fingerprint?: string;
    /** As `ifForked` reads it. */
    readonly forked: boolean;
  };
  /** By ordinal. Rows that were pruned are missing; those that are there may name them as parents. */
  readonly turns: readonly TurnRecord<Content>[];
}

export interface TurnRecord<Content extends StateText | StateContent> {
  readonly turn: TurnMeta;
  /** Where the store still has it: only `claim` asks for it. */
  readonly input?: string;
  readonly fingerprint?: string;
  /** The nearest ancestor that had become resumable when this turn began. */
  readonly trunkId?: string;
  /** Its status was one of its settle's `heads`. */
  readonly resumable: boolean;
  /** Waits for a person and has no completed child. */
  readonly waiting: boolean;
  /**
   * The state that was saved with it, where `turn.state` has figures: whole, or a patch against the nearest ancestor that has
   * one, which then is among the turns.
   */
  readonly content?: Content;
  /** In order, from 1. Empty where they were pruned. */
  readonly events: readonly StoredEvent[];
}

/** A state as text. */
export interface StateText {
  readonly kind: "full" | "patch";
  readonly json: string;
}
