import { snapshotRoute } from "@agents/schema/hash";
import type { Caller, ClosingOutcome, StoreTime, TurnMeta } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import type { Decision } from "../journal/journals.ts";
import { ColumnDraft } from "../record/record-draft.ts";
import { findTurn } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import { isStale } from "../session/tables.ts";
import { sessionField, toStaleField } from "./end-field.ts";
import type { StoreFiles } from "./store-files.ts";

export interface Abort {
  readonly snapshotId: string;
  /** What is written to a turn that has no worker left. */
  readonly outcome: ClosingOutcome & { readonly status: "aborted" };
  readonly heads: readonly TurnMeta["status"][];
}

export type Aborted = { readonly before: TurnMeta; readonly after: TurnMeta } | undefined;

export function abortTurn(files: StoreFiles, caller: Caller, abort: Abort): Promise<Aborted> {
  const route = snapshotRoute(abort.snapshotId);
  if (route === undefined) return Promise.resolve(undefined);
  return files.journals.change<Aborted>({
    place: { scope: caller.scope, route },
    missing: () => undefined,
    decide: (journal, now) => decideAbort(journal, { caller, ...abort, now }),
  });
}

function decideAbort(
  { tables }: Journal,
  { caller, snapshotId, outcome, heads, now }: Abort & { readonly caller: Caller; readonly now: StoreTime },
): Decision<Aborted> {
  const turn = findTurn(tables, caller, snapshotId);
  if (turn === undefined) return { answer: undefined };
  const before = toTurnMeta(turn, now);
  const answered = (): Aborted => ({ before, after: toTurnMeta(turn, now) });
  const columns = new ColumnDraft();
  // Without a worker there is nobody to wait for.
  if (isStale(turn, now)) {
    const close = toStaleField(turn, { outcome, heads }, columns);
    return { write: { record: { t: "close", at: now, close }, columns }, answered };
  }
  if (turn.status !== "pending") return { answer: answered() };
  const { session, ordinal } = turn;
  return { write: { record: { t: "abort", at: now, ...sessionField(session), n: ordinal }, columns }, answered };
}
