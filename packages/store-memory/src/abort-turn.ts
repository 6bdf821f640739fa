import type { Caller, ClosingOutcome, TurnMeta } from "@agents/schema/port";
import { findTurn } from "./caller-access.ts";
import { endStaleTurn } from "./end-turn.ts";
import { markAborting } from "./mark-aborting.ts";
import { isLive, type StoredStatus } from "./status-moves.ts";
import type { Tables } from "./tables.ts";
import { isStale, toTurnMeta } from "./turn-meta.ts";

export interface Abort {
  readonly snapshotId: string;
  /** What is written to a turn that has no worker left. */
  readonly outcome: ClosingOutcome & { readonly status: "aborted" };
  readonly heads: readonly StoredStatus[];
}

export function abortTurn(
  tables: Tables,
  caller: Caller,
  { snapshotId, outcome, heads }: Abort,
): { before: TurnMeta; after: TurnMeta } | undefined {
  const turn = findTurn(tables, caller, snapshotId);
  if (turn === undefined) return undefined;
  const now = tables.clock.now();
  const before = toTurnMeta(turn, now);
  // Without a worker there is nobody to wait for.
  if (isStale(turn, now)) endStaleTurn(tables, turn, { outcome, heads, now });
  else if (isLive(turn.status)) markAborting(tables, turn, now);
  return { before, after: toTurnMeta(turn, now) };
}
