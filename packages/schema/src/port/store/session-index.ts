import type { SessionLifecycle } from "../../wire/index.ts";
import type { Caller } from "./caller.ts";
import type { SessionMeta } from "./session-meta.ts";
import type { SessionRecord, StateText } from "./session-record.ts";
import type { StateContent, TurnMeta } from "./turn-record.ts";

export interface CreateSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly metadata?: string;
  readonly fingerprint?: string;
}

export interface Page {
  /** Where the last page ended. A store refuses one that it did not make (INVALID_ARGUMENT). */
  readonly cursor?: string;
  readonly limit: number;
}

export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly cursor?: string;
}

/** Ages are by the store's clock, in milliseconds since the row last changed. At least one of the three is given. */
export interface PruneRule {
  /** Rows may go that are not among the newest so many of any chain, a chain being a leaf and its ancestors. At least 1. */
  readonly keepLast?: number;
  /** Rows may go that are older than this. With `keepLast` a row goes only if both allow it. */
  readonly olderThanMs?: number;
  /** Events may go, their rows staying, of settled turns older than this. Independent of the other two. */
  readonly eventsOlderThanMs?: number;
}

/** Optional part: what makes sessions listable, and what ends them. */
export interface SessionIndex {
  /** Makes a session that has no turn yet. `conflict`: the id exists with another fingerprint, or is another owner's. */
  createSession(
    caller: Caller,
    session: CreateSession,
  ): Promise<{ readonly type: "created" | "existing"; readonly session: SessionMeta } | { readonly type: "conflict" }>;
  getSession(caller: Caller, sessionId: string): Promise<SessionMeta | undefined>;
  /** Newest change first. Rows that change between two pages may be missed or repeated; others may not. */
  listSessions(
    caller: Caller,
    page: Page & { readonly agent?: string; readonly state?: SessionLifecycle },
  ): Promise<PageOf<SessionMeta>>;
  /** By ordinal, newest first. */
  listTurns(caller: Caller, sessionId: string, page: Page): Promise<PageOf<TurnMeta>>;
  /** A field left out stays. An archived session takes no further turns; those that run go on. Undefined when unknown. */
  updateSession(
    caller: Caller,
    sessionId: string,
    change: { readonly metadata?: string; readonly state?: SessionLifecycle },
  ): Promise<SessionMeta | undefined>;
  /** Removes the session, its turns, events and every index entry. Live turns lose their lease. False when unknown. */
  deleteSession(caller: Caller, sessionId: string): Promise<boolean>;
  /**
   * Drops what the rule allows, at most `limit` rows or logs under one lock, so that it can run beside live traffic. Never
   * a live row, the head, a base that a kept row's state needs, or a row that waits for a person and has no completed
   * child. A kept row goes on naming its parent after the parent was dropped. `dropped` counts rows; `more` says that
   * another call would find more to do.
   */
  prune(
    caller: Caller,
    sessionId: string,
    rule: PruneRule,
    limit: number,
  ): Promise<{ readonly dropped: number; readonly more: boolean }>;
  /** Everything that is kept of a session, at one moment. Undefined when unknown. */
  exportSession(caller: Caller, sessionId: string): Promise<SessionRecord<StateText> | undefined>;
  /**
   * Writes a session that another store exported: its ids, ordinals, times, epochs and versions stay. All of it or nothing.
   * Only final turns (else INVALID_ARGUMENT); the runtime has checked the record, and made the contents anew: the figures to
   * keep are theirs, not those in `turn.state`. The session belongs to the caller's
   * owner if it names one, else to the record's. `conflict`, with nothing written: the session or one of its turns exists.
   */
  importSession(
    caller: Caller,
    record: SessionRecord<StateContent>,
  ): Promise<{ readonly type: "imported" | "conflict" }>;
}
