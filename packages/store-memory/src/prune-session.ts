import { AgentError } from "@agents/schema/error";
import type { Caller, PruneRule, StoreTime } from "@agents/schema/port";
import { findSession } from "./caller-access.ts";
import { refuseBadLimit } from "./page.ts";
import { mayDrop } from "./retention.ts";
import { dropEvents, dropTurns } from "./session-table.ts";
import { isLive } from "./status-moves.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

export interface Prune {
  readonly sessionId: string;
  readonly rule: PruneRule;
  readonly limit: number;
}

/** Oldest rows first, so that what is left of a chain stays in one piece. `limit` also bounds the logs that are dropped. */
export function pruneSession(
  tables: Tables,
  caller: Caller,
  { sessionId, rule, limit }: Prune,
): { dropped: number; more: boolean } {
  refuseBadLimit(limit);
  refuseBadRule(rule);
  const session = findSession(tables, caller, sessionId);
  if (session === undefined) return { dropped: 0, more: false };
  const now = tables.clock.now();
  const rows = droppableRows(session, rule, now);
  const dropped = new Set(rows.slice(0, limit));
  dropTurns(tables, session, dropped);
  const logs = droppableLogs(session, rule, now);
  const room = limit - dropped.size;
  for (const turn of logs.slice(0, room)) dropEvents(tables, turn);
  return { dropped: dropped.size, more: rows.length > limit || logs.length > room };
}

function refuseBadRule({ keepLast, olderThanMs, eventsOlderThanMs }: PruneRule): void {
  if (keepLast === undefined && olderThanMs === undefined && eventsOlderThanMs === undefined) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      "A prune rule has at least one of keepLast, olderThanMs and eventsOlderThanMs.",
    );
  }
  if (keepLast !== undefined && !(Number.isInteger(keepLast) && keepLast >= 1)) {
    throw new AgentError("INVALID_ARGUMENT", `keepLast is ${keepLast}; it takes a whole number of at least 1.`);
  }
  for (const [name, age] of Object.entries({ olderThanMs, eventsOlderThanMs })) {
    if (age === undefined || age >= 0) continue;
    throw new AgentError("INVALID_ARGUMENT", `${name} is ${age}; it takes milliseconds, 0 or more.`);
  }
}

function droppableRows(session: SessionRow, { keepLast, olderThanMs }: PruneRule, now: StoreTime): TurnRow[] {
  if (keepLast === undefined && olderThanMs === undefined) return [];
  const distances = keepLast === undefined ? undefined : distancesToLeaf(session);
  return session.turns.filter(
    (turn) =>
      mayDrop(turn) &&
      (olderThanMs === undefined || now - turn.updatedAt > olderThanMs) &&
      (keepLast === undefined || (distances?.get(turn.snapshotId) ?? 0) >= keepLast),
  );
}

/** How many rows come after each one in the shortest chain that it is part of. */
function distancesToLeaf({ turns }: SessionRow): Map<string, number> {
  const distances = new Map<string, number>();
  // Children have higher ordinals than their parents, so each row is complete when it is reached.
  for (const { snapshotId, parentId } of turns.toReversed()) {
    const distance = distances.get(snapshotId) ?? 0;
    distances.set(snapshotId, distance);
    if (parentId === undefined) continue;
    distances.set(parentId, Math.min(distances.get(parentId) ?? Number.POSITIVE_INFINITY, distance + 1));
  }
  return distances;
}

/** A final row changes no more, so its last change is when it was settled. */
function droppableLogs({ turns }: SessionRow, { eventsOlderThanMs }: PruneRule, now: StoreTime): TurnRow[] {
  if (eventsOlderThanMs === undefined) return [];
  return turns.filter(
    (turn) => turn.events.length > 0 && !isLive(turn.status) && now - turn.updatedAt > eventsOlderThanMs,
  );
}
