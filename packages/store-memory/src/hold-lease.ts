import type { Caller, Lease, StoreTime } from "@agents/schema/port";
import { findTurn } from "./caller-access.ts";
import { turnChanged } from "./session-table.ts";
import { isLive } from "./status-moves.ts";
import type { Tables, TurnRow } from "./tables.ts";
import { isStale } from "./turn-meta.ts";

/** The row that a lease speaks of, whoever may write it now. A lease for another session names no row. */
export function findLeased(tables: Tables, caller: Caller, lease: Lease): TurnRow | undefined {
  const turn = findTurn(tables, caller, lease.snapshotId);
  return turn?.session.sessionId === lease.sessionId ? turn : undefined;
}

/** A lease that ran out still holds until somebody takes the turn: the epoch decides, not the clock. */
export function holdsLease(turn: TurnRow, lease: Lease): boolean {
  return turn.epoch === lease.epoch && isLive(turn.status);
}

/** A row that read as expired reads as pending again, which its followers want to know. */
export function renewLease(tables: Tables, turn: TurnRow, { leaseMs, now }: { leaseMs: number; now: StoreTime }): void {
  if (isStale(turn, now)) turnChanged(tables, turn);
  turn.leaseUntil = now + leaseMs;
  turn.heartbeatAt = now;
}
