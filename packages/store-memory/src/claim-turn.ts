import type { Caller, ClaimRequest, ClaimResult, StoreTime } from "@agents/schema/port";
import { findTurn } from "./caller-access.ts";
import { turnChanged } from "./session-table.ts";
import { chainOf } from "./state-chain.ts";
import { isLive } from "./status-moves.ts";
import type { Tables, TurnRow } from "./tables.ts";
import { isStale, toTurnMeta } from "./turn-meta.ts";

export interface Claim extends ClaimRequest {
  readonly snapshotId: string;
}

export function claimTurn(tables: Tables, caller: Caller, claim: Claim): ClaimResult {
  const turn = findTurn(tables, caller, claim.snapshotId);
  if (turn === undefined) return { type: "notFound" };
  const now = tables.clock.now();
  if (!isRepeated(turn, claim)) {
    if (turn.status !== "pending" || !isStale(turn, now)) return { type: "refused", turn: toTurnMeta(turn, now) };
    takeOver(tables, turn, { claim, now });
  }
  return {
    type: "claimed",
    lease: { snapshotId: turn.snapshotId, sessionId: turn.session.sessionId, epoch: turn.epoch },
    turn: toTurnMeta(turn, now),
    input: turn.input,
    chain: chainOf(turn, claim.known),
  };
}

/** Epoch 1 is begin's: a writer that began the turn has not claimed it. */
function isRepeated(turn: TurnRow, { writer }: Claim): boolean {
  return turn.writer === writer && turn.epoch > 1 && isLive(turn.status);
}

function takeOver(tables: Tables, turn: TurnRow, { claim, now }: { claim: Claim; now: StoreTime }): void {
  turn.writer = claim.writer;
  turn.opening = undefined;
  turn.epoch++;
  turn.version++;
  turn.updatedAt = now;
  turn.heartbeatAt = now;
  turn.leaseUntil = now + claim.leaseMs;
  turnChanged(tables, turn);
}
