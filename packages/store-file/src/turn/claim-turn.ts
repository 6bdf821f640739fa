import { snapshotRoute } from "@agents/schema/hash";
import type { Caller, ClaimRequest, ClaimResult, StoreTime } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import type { Decision } from "../journal/journals.ts";
import { textsOf } from "../journal/texts.ts";
import { ColumnDraft } from "../record/record-draft.ts";
import { findTurn } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import { chainOf } from "../session/state-chain.ts";
import { isLive, isStale, type LiveTurn, type TurnRow } from "../session/tables.ts";
import { sessionField } from "./end-field.ts";
import { loadChain, type StoreFiles } from "./store-files.ts";

export interface Claim extends ClaimRequest {
  readonly snapshotId: string;
}

export function claimTurn(files: StoreFiles, caller: Caller, claim: Claim): Promise<ClaimResult> {
  const route = snapshotRoute(claim.snapshotId);
  if (route === undefined) return Promise.resolve({ type: "notFound" });
  return files.journals.change<ClaimResult>({
    place: { scope: caller.scope, route },
    missing: () => ({ type: "notFound" }),
    decide: (journal, now) => decideClaim(journal, { caller, claim, now }),
  });
}

interface Asked {
  readonly caller: Caller;
  readonly claim: Claim;
  readonly now: StoreTime;
}

function decideClaim(journal: Journal, asked: Asked): Decision<ClaimResult> {
  const { caller, claim, now } = asked;
  const turn = findTurn(journal.tables, caller, claim.snapshotId);
  if (turn === undefined) return { answer: { type: "notFound" } };
  if (!isLive(turn)) return { answer: { type: "refused", turn: toTurnMeta(turn, now) } };
  const answered = (): ClaimResult => answerClaimed(journal, turn, asked);
  // Epoch 1 is begin's: a writer that began the turn has not claimed it.
  if (turn.live.writer === claim.writer && turn.epoch > 1) return { answer: answered() };
  if (turn.status !== "pending" || !isStale(turn, now)) {
    return { answer: { type: "refused", turn: toTurnMeta(turn, now) } };
  }
  const { session, ordinal, live } = turn;
  const { writer, leaseMs } = claim;
  const record = {
    t: "claim",
    at: now,
    ...sessionField(session),
    n: ordinal,
    until: live.leaseUntil,
    writer,
    lease: leaseMs,
  } as const;
  return { write: { record, columns: new ColumnDraft() }, answered };
}

function answerClaimed(
  journal: Journal,
  turn: TurnRow & { readonly live: LiveTurn },
  { claim, now }: Asked,
): ClaimResult {
  return {
    type: "claimed",
    lease: { snapshotId: turn.snapshotId, sessionId: turn.session.sessionId, epoch: turn.epoch },
    turn: toTurnMeta(turn, now),
    input: textsOf(journal).textOf(turn.live.input),
    chain: loadChain(journal, chainOf(turn, claim.known)),
  };
}
