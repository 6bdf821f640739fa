import type { CallerLease, Fenced } from "@agents/schema/port";
import { findLeased, holdsLease, renewLease } from "./hold-lease.ts";
import type { Tables } from "./tables.ts";
import { toTurnMeta } from "./turn-meta.ts";

/** Each lease by itself: one that was lost does not keep the others from being renewed. */
export function heartbeatTurns(tables: Tables, leases: readonly CallerLease[], leaseMs: number): Fenced[] {
  const now = tables.clock.now();
  return leases.map(({ caller, lease }): Fenced => {
    const turn = findLeased(tables, caller, lease);
    if (turn === undefined) return { ok: false };
    const ok = holdsLease(turn, lease);
    if (ok) renewLease(tables, turn, { leaseMs, now });
    return { ok, turn: toTurnMeta(turn, now) };
  });
}
