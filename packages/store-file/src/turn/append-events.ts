import { snapshotRoute } from "@agents/schema/hash";
import type { AppendRequest, Caller, EventBatch, Fenced, Lease, StoreTime } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import type { Decision } from "../journal/journals.ts";
import { ColumnDraft } from "../record/record-draft.ts";
import { findLeased } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import { isLive, type TurnRow } from "../session/tables.ts";
import { sessionField } from "./end-field.ts";
import { storedEvents } from "./read-events.ts";
import type { StoreFiles } from "./store-files.ts";

export interface Append {
  readonly lease: Lease;
  readonly request: AppendRequest;
}

export function appendEvents(files: StoreFiles, caller: Caller, append: Append): Promise<Fenced> {
  const route = snapshotRoute(append.lease.snapshotId);
  if (route === undefined) return Promise.resolve({ ok: false });
  return files.journals.change<Fenced>({
    place: { scope: caller.scope, route },
    operation: "append",
    missing: () => ({ ok: false }),
    decide: (journal, now) => decideAppend(journal, { caller, ...append, now }),
  });
}

interface Asked extends Append {
  readonly caller: Caller;
  readonly now: StoreTime;
}

function decideAppend(journal: Journal, { caller, lease, request, now }: Asked): Decision<Fenced> {
  const turn = findLeased(journal.tables, caller, lease);
  if (turn === undefined) return { answer: { ok: false } };
  const { batch, leaseMs, progress } = request;
  const { events, firstSeq } = batch;
  const holds = isLive(turn) && turn.epoch === lease.epoch;
  if (!holds || (events.length > 0 && firstSeq !== turn.lastSeq + 1)) {
    const ok = isRepeated(journal, turn, { epoch: lease.epoch, batch });
    return { answer: { ok, turn: toTurnMeta(turn, now) } };
  }
  const columns = new ColumnDraft();
  const run = columns.events(events);
  const state = progress && columns.state(progress);
  const record = {
    t: "append",
    at: now,
    ...sessionField(turn.session),
    n: turn.ordinal,
    epoch: lease.epoch,
    lease: leaseMs,
    first: firstSeq,
    ...(run && { events: run }),
    ...(state && { progress: state }),
  } as const;
  return { write: { record, columns }, answered: () => ({ ok: true, turn: toTurnMeta(turn, now) }) };
}

/** The last texts of the log, written under the same epoch, by the writer that still has it. */
function isRepeated(journal: Journal, turn: TurnRow, { epoch, batch }: { epoch: number; batch: EventBatch }): boolean {
  const { events, firstSeq } = batch;
  if (turn.epoch !== epoch || events.length === 0 || firstSeq + events.length - 1 !== turn.lastSeq) return false;
  const stored = storedEvents(journal, turn, { after: firstSeq - 1, limit: events.length });
  return (
    stored.length === events.length &&
    stored.every((event, index) => event.epoch === epoch && event.json === events[index])
  );
}
