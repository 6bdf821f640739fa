import type { Clock, Store, StoreHealth } from "@agents/schema/port";
import { abortTurn } from "./abort-turn.ts";
import { beginTurn } from "./begin-turn.ts";
import { admit, refuseClosed } from "./caller-access.ts";
import { claimTurn } from "./claim-turn.ts";
import { appendEvents, readEvents } from "./event-log.ts";
import { exportSession } from "./export-session.ts";
import { heartbeatTurns } from "./heartbeat-turns.ts";
import { HintBoard } from "./hint-board.ts";
import { importSession } from "./import-session.ts";
import { resolveLimits } from "./limits.ts";
import { listSessions } from "./list-sessions.ts";
import { listTurns } from "./list-turns.ts";
import { CursorSeal } from "./page-cursor.ts";
import { pruneSession } from "./prune-session.ts";
import { readTurn } from "./read-turn.ts";
import { createSession, deleteSession, getSession, updateSession } from "./session-index.ts";
import { settleTurn } from "./settle-turn.ts";
import { createTables, type Tables } from "./tables.ts";

export interface MemoryStoreOptions {
  /**
   * Whether every call must name a tenant: an empty `scope` is then refused (FAILED_PRECONDITION). Scopes are kept
   * apart either way. @default false
   */
  scoped?: boolean;
  /**
   * Sessions, over all scopes. Beyond it the least recently changed one goes, unless a turn of it is live or waits for
   * a person. At least 1, or Infinity. @default 10_000
   */
  maxSessions?: number;
  /**
   * Turns of one session. Beyond it the oldest tenth goes; never a live turn, the head, one that waits for a person, or
   * the parent of the turn that begins. At least 2, or Infinity. @default 1_000
   */
  maxTurnsPerSession?: number;
  /**
   * Stored events, over all turns. Beyond it the turns that settled longest ago lose theirs; never a live turn.
   * At least 1, or Infinity. @default 1_000_000
   */
  maxEvents?: number;
  /** Decides when a lease has run out, and dates rows. @default the system's */
  clock?: Pick<Clock, "now">;
}

/** A store with every part. */
export type MemoryStore = Required<Store>;

/**
 * Keeps sessions in this process, and loses them with it. Each call does its work before it returns its promise, so
 * that calls never interleave. A begin, append or createSession for which there is no room rejects with
 * RESOURCE_EXHAUSTED, naming the limit; after `close` every call rejects with FAILED_PRECONDITION.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return storeOver(tablesFor(options));
}

/** Apart from the store, so that tests can look at what is kept. */
export function tablesFor(options: MemoryStoreOptions): Tables {
  return createTables({
    clock: options.clock ?? { now: () => Date.now() },
    scoped: options.scoped ?? false,
    limits: resolveLimits(options),
    hints: new HintBoard(),
    cursors: new CursorSeal(),
  });
}

export function storeOver(tables: Tables): MemoryStore {
  return {
    name: "memory",
    turns: turnsOver(tables),
    events: {
      async append(caller, lease, request) {
        admit(tables, caller);
        return appendEvents(tables, caller, { lease, request });
      },
      async readEvents(caller, snapshotId, page) {
        admit(tables, caller);
        return readEvents(tables, caller, { ...page, snapshotId });
      },
    },
    hints: {
      async watch(caller, snapshotId, onHint) {
        admit(tables, caller);
        const stop = tables.hints.watch(caller, snapshotId, onHint);
        return async () => stop();
      },
    },
    index: indexOver(tables),
    async health() {
      refuseClosed(tables);
      return healthOf(tables);
    },
    async close() {
      tables.closed = true;
      tables.hints.clear();
      tables.scopes.clear();
      tables.evictable.clear();
      tables.logged.clear();
    },
  };
}

function turnsOver(tables: Tables): Store["turns"] {
  return {
    async begin(caller, request) {
      admit(tables, caller);
      return beginTurn(tables, caller, request);
    },
    async settle(caller, lease, request) {
      admit(tables, caller);
      return settleTurn(tables, caller, { lease, request });
    },
    async heartbeat(leases, leaseMs) {
      refuseClosed(tables);
      // Before any is renewed: a call that rejects has done nothing.
      for (const { caller } of leases) admit(tables, caller);
      return heartbeatTurns(tables, leases, leaseMs);
    },
    async requestAbort(caller, snapshotId, stale) {
      admit(tables, caller);
      return abortTurn(tables, caller, { ...stale, snapshotId });
    },
    async claim(caller, snapshotId, request) {
      admit(tables, caller);
      return claimTurn(tables, caller, { ...request, snapshotId });
    },
    async read(caller, at, want) {
      admit(tables, caller);
      return readTurn(tables, caller, { at, want });
    },
  };
}

function indexOver(tables: Tables): MemoryStore["index"] {
  return {
    async createSession(caller, session) {
      admit(tables, caller);
      return createSession(tables, caller, session);
    },
    async getSession(caller, sessionId) {
      admit(tables, caller);
      return getSession(tables, caller, sessionId);
    },
    async listSessions(caller, page) {
      admit(tables, caller);
      return listSessions(tables, caller, page);
    },
    async listTurns(caller, sessionId, page) {
      admit(tables, caller);
      return listTurns(tables, caller, { ...page, sessionId });
    },
    async updateSession(caller, sessionId, change) {
      admit(tables, caller);
      return updateSession(tables, caller, { ...change, sessionId });
    },
    async deleteSession(caller, sessionId) {
      admit(tables, caller);
      return deleteSession(tables, caller, sessionId);
    },
    async prune(caller, sessionId, rule, limit) {
      admit(tables, caller);
      return pruneSession(tables, caller, { sessionId, rule, limit });
    },
    async exportSession(caller, sessionId) {
      admit(tables, caller);
      return exportSession(tables, caller, sessionId);
    },
    async importSession(caller, record) {
      admit(tables, caller);
      return importSession(tables, caller, record);
    },
  };
}

function healthOf({ evicted }: Tables): StoreHealth {
  const warnings = ["Sessions are kept in the memory of this process only, and are lost when it exits."];
  if (evicted.sessions + evicted.turns + evicted.logs > 0) {
    warnings.push(
      `Limits were reached: ${evicted.sessions} sessions, ${evicted.turns} turns and the events of ${evicted.logs} turns were evicted.`,
    );
  }
  return { durable: false, warnings };
}
