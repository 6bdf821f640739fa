import { snapshotRoute } from "@agents/schema/hash";
import type { Caller, Fenced, Lease, SettleRequest, StoreTime } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import type { Decision } from "../journal/journals.ts";
import { ColumnDraft } from "../record/record-draft.ts";
import { findLeased } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import { isLive } from "../session/tables.ts";
import { sessionField, toEndField } from "./end-field.ts";
import { keepChainsShort } from "./prune-session.ts";
import type { StoreFiles } from "./store-files.ts";

export interface Settlement {
  readonly lease: Lease;
  readonly request: SettleRequest;
}

export async function settleTurn(files: StoreFiles, caller: Caller, settlement: Settlement): Promise<Fenced> {
  const route = snapshotRoute(settlement.lease.snapshotId);
  if (route === undefined) return { ok: false };
  const settled = await files.journals.change<Fenced>({
    place: { scope: caller.scope, route },
    operation: "settle",
    missing: () => ({ ok: false }),
    decide: (journal, now) => decideSettle(journal, { caller, ...settlement, now }),
  });
  if (settled.ok && files.maxChainLength !== undefined) {
    await keepChainsShort(files, caller, { sessionId: settlement.lease.sessionId, keepLast: files.maxChainLength });
  }
  return settled;
}

interface Asked extends Settlement {
  readonly caller: Caller;
  readonly now: StoreTime;
}

function decideSettle({ tables }: Journal, { caller, lease, request, now }: Asked): Decision<Fenced> {
  const turn = findLeased(tables, caller, lease);
  if (turn === undefined) return { answer: { ok: false } };
  if (turn.epoch !== lease.epoch) return { answer: { ok: false, turn: toTurnMeta(turn, now) } };
  // Only the holder of an epoch ends a row under it: this is its settle, repeated.
  if (!isLive(turn)) return { answer: { ok: true, turn: toTurnMeta(turn, now) } };
  const { events, ...outcome } = turn.status === "aborting" ? request.aborting : request.pending;
  // The answer says where the log stands.
  if (events.events.length > 0 && events.firstSeq !== turn.lastSeq + 1) {
    return { answer: { ok: false, turn: toTurnMeta(turn, now) } };
  }
  const columns = new ColumnDraft();
  const end = toEndField(turn, { outcome: { ...outcome, events: events.events }, heads: request.heads }, columns);
  const { session, ordinal } = turn;
  const record = {
    t: "settle",
    at: now,
    ...sessionField(session),
    n: ordinal,
    ...(end.events && { first: events.firstSeq }),
    end,
  } as const;
  return {
    write: { record, columns },
    answered: () => ({ ok: true, turn: toTurnMeta(turn, now) }),
  };
}
