import type { Caller, Lease } from "@agents/schema/port";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";

/** Turns have the owner of their session. */
export function maySee(caller: Caller, { owner }: SessionRow): boolean {
  return caller.owner === undefined || owner === undefined || owner === caller.owner;
}

export function findSession(tables: Tables, caller: Caller, sessionId: string): SessionRow | undefined {
  const session = tables.sessions.get(sessionId);
  return session !== undefined && maySee(caller, session) ? session : undefined;
}

export function findTurn(tables: Tables, caller: Caller, snapshotId: string): TurnRow | undefined {
  const turn = tables.turns.get(snapshotId);
  return turn !== undefined && maySee(caller, turn.session) ? turn : undefined;
}

/** The row that a lease speaks of, whoever may write it now. A lease for another session names no row. */
export function findLeased(tables: Tables, caller: Caller, lease: Lease): TurnRow | undefined {
  const turn = findTurn(tables, caller, lease.snapshotId);
  return turn?.session.sessionId === lease.sessionId ? turn : undefined;
}
