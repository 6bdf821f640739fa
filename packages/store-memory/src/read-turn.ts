import type { Caller, ReadAt, StateChain, TurnMeta } from "@agents/schema/port";
import { findSession, findTurn } from "./caller-access.ts";
import { chainOf } from "./state-chain.ts";
import { isLive, type StoredStatus } from "./status-moves.ts";
import type { SessionRow, Tables, TurnRow } from "./tables.ts";
import { toTurnMeta } from "./turn-meta.ts";

export interface ReadRequest {
  readonly at: ReadAt;
  readonly want: "meta" | { readonly known: readonly string[] };
}

export function readTurn(
  tables: Tables,
  caller: Caller,
  { at, want }: ReadRequest,
): { turn: TurnMeta; chain?: StateChain } | undefined {
  const turn =
    "snapshotId" in at
      ? findTurn(tables, caller, at.snapshotId)
      : newestAmong(findSession(tables, caller, at.sessionId), at.among);
  if (turn === undefined) return undefined;
  const meta = toTurnMeta(turn, tables.clock.now());
  return want === "meta" ? { turn: meta } : { turn: meta, chain: chainOf(turn, want.known) };
}

/** Looks at one row per final status and at those that are live, not at the conversation. */
function newestAmong(session: SessionRow | undefined, among: readonly StoredStatus[]): TurnRow | undefined {
  if (session === undefined) return undefined;
  let newest: TurnRow | undefined;
  for (const status of among) if (!isLive(status)) newest = newer(newest, session.newest[status]);
  for (const turn of session.live) if (among.includes(turn.status)) newest = newer(newest, turn);
  return newest;
}

function newer(one: TurnRow | undefined, other: TurnRow | undefined): TurnRow | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.ordinal > other.ordinal ? one : other;
}
