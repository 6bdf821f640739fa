import { AgentError } from "@agents/schema/error";
import type { Limits } from "./limits.ts";
import { mayDrop } from "./retention.ts";
import { dropEvents, dropTurns, removeSession } from "./session-table.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

/** A full session loses so many rows at once, oldest first: one pass over it then serves many turns. */
const SHARE_OF_TURNS = 0.1;

/** Evicts the least recently changed session when another would exceed the limit. */
export function makeRoomForSession(tables: Tables): void {
  if (tables.sessionCount < tables.limits.maxSessions) return;
  const oldest = tables.evictable.oldest();
  if (oldest === undefined)
    throw exhausted(tables, "maxSessions", "every session has a turn that is live or waits for a person");
  removeSession(tables, oldest);
  tables.evicted.sessions++;
}

/** Evicts the oldest rows when another would exceed the limit. `parent` is about to be continued, and stays. */
export function makeRoomForTurn(tables: Tables, session: SessionRow, parent: TurnRow | undefined): void {
  const { maxTurnsPerSession } = tables.limits;
  if (session.turns.length < maxTurnsPerSession) return;
  const wanted = Math.max(1, Math.floor(maxTurnsPerSession * SHARE_OF_TURNS));
  const dropped = new Set<TurnRow>();
  for (const turn of session.turns) {
    if (dropped.size === wanted) break;
    if (turn !== parent && mayDrop(turn)) dropped.add(turn);
  }
  if (dropped.size === 0) {
    throw exhausted(
      tables,
      "maxTurnsPerSession",
      "every turn of the session is live, waits for a person, or is continued",
    );
  }
  dropTurns(tables, session, dropped);
  tables.evicted.turns += dropped.size;
}

/** Drops the events of the longest settled turns when `count` more would exceed the limit. */
export function makeRoomForEvents(tables: Tables, count: number): void {
  if (count === 0 || trimEvents(tables, count)) return;
  throw exhausted(tables, "maxEvents", "all stored events belong to live turns");
}

/** The same without a refusal, for the end of a turn: it must not fail for want of room. */
export function trimEvents(tables: Tables, count = 0): boolean {
  while (tables.eventCount + count > tables.limits.maxEvents) {
    const oldest = tables.logged.oldest();
    if (oldest === undefined) return false;
    dropEvents(tables, oldest);
    tables.evicted.logs++;
  }
  return true;
}

function exhausted(tables: Tables, limit: keyof Limits, reason: string): AgentError {
  const value = tables.limits[limit];
  return new AgentError(
    "RESOURCE_EXHAUSTED",
    `The memory store is full: ${limit} is ${value}, and ${reason}. Raise ${limit}, or use a store that keeps sessions on disk.`,
    { details: { limit, value } },
  );
}
