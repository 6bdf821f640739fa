import { AgentError } from "@agents/schema/error";
import { snapshotRoute } from "@agents/schema/hash";
import type { Caller, EventLog, StoredEvent, TurnMeta } from "@agents/schema/port";
import type { Journal } from "../journal/journal.ts";
import { textsOf } from "../journal/texts.ts";
import { decodeColumn } from "../record/column-text.ts";
import { findTurn } from "../session/find-row.ts";
import { toTurnMeta } from "../session/meta.ts";
import type { TurnRow } from "../session/tables.ts";
import { refuseBadLimit } from "./limit.ts";
import type { StoreFiles } from "./store-files.ts";

export type EventPage = Parameters<EventLog["readEvents"]>[2] & { readonly snapshotId: string };

type Events = { readonly events: readonly StoredEvent[]; readonly turn: TurnMeta } | undefined;

export async function readEvents(files: StoreFiles, caller: Caller, page: EventPage): Promise<Events> {
  const { snapshotId, after, limit } = page;
  refuseBadLimit(limit);
  refuseBadPosition(after);
  const route = snapshotRoute(snapshotId);
  if (route === undefined) return undefined;
  return await files.journals.read<Events>({ scope: caller.scope, route }, (journal, now) => {
    const turn = journal && findTurn(journal.tables, caller, snapshotId);
    if (journal === undefined || turn === undefined) return undefined;
    // Epochs only grow along the log. What a reader holds beyond this was sent by a worker that never stored it.
    const shared = turn.events.findLast(({ epoch }) => epoch <= after.epoch);
    const stored = shared === undefined ? 0 : shared.first + shared.count - 1;
    const events = storedEvents(journal, turn, { after: Math.min(after.seq, stored), limit });
    return { events, turn: toTurnMeta(turn, now) };
  });
}

/** In order, from the one after `after`; none where they were pruned. */
export function storedEvents(
  journal: Journal,
  turn: TurnRow,
  { after, limit }: { after: number; limit: number },
): StoredEvent[] {
  const { columnsOf } = textsOf(journal);
  const events: StoredEvent[] = [];
  // A follower wants the last ones, so the way back is short.
  const start = turn.events.findLastIndex(({ first }) => first <= after + 1);
  for (const { first, count, epoch, text } of turn.events.slice(Math.max(0, start))) {
    if (events.length >= limit) break;
    if (first + count <= after + 1) continue;
    for (const [index, column] of columnsOf(text).entries()) {
      const seq = first + index;
      if (seq > after && events.length < limit) events.push({ seq, epoch, json: decodeColumn(column) });
    }
  }
  return events;
}

function refuseBadPosition({ epoch, seq }: EventPage["after"]): void {
  if (Number.isInteger(seq) && seq >= 0 && Number.isInteger(epoch) && epoch >= 0) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Events are read after epoch ${epoch}, seq ${seq}; both are whole numbers, 0 and 0 for all.`,
    { details: { epoch: String(epoch), seq: String(seq) } },
  );
}
