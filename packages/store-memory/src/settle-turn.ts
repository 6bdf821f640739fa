import type { Caller, Fenced, Lease, SettleRequest } from "@agents/schema/port";
import { endTurn } from "./end-turn.ts";
import { findLeased } from "./hold-lease.ts";
import { isLive } from "./status-moves.ts";
import type { Tables } from "./tables.ts";
import { toTurnMeta } from "./turn-meta.ts";

export interface Settlement {
  readonly lease: Lease;
  readonly request: SettleRequest;
}

export function settleTurn(tables: Tables, caller: Caller, { lease, request }: Settlement): Fenced {
  const turn = findLeased(tables, caller, lease);
  if (turn === undefined) return { ok: false };
  const now = tables.clock.now();
  if (turn.epoch !== lease.epoch) return { ok: false, turn: toTurnMeta(turn, now) };
  // Only the holder of an epoch ends a row under it: this is its settle, repeated.
  if (!isLive(turn.status)) return { ok: true, turn: toTurnMeta(turn, now) };
  const outcome = request[turn.status];
  const { events, firstSeq } = outcome.events;
  // The answer says where the log stands.
  if (events.length > 0 && firstSeq !== turn.lastSeq + 1) return { ok: false, turn: toTurnMeta(turn, now) };
  endTurn(tables, turn, { outcome: { ...outcome, events }, heads: request.heads, epoch: turn.epoch, now });
  return { ok: true, turn: toTurnMeta(turn, now) };
}
