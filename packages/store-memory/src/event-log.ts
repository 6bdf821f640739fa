import { AgentError } from "@agents/schema/error";
import type {
  AppendRequest,
  Caller,
  EventBatch,
  EventLog,
  Fenced,
  Lease,
  StoredEvent,
  TurnMeta,
} from "@agents/schema/port";
import { findTurn } from "./caller-access.ts";
import { addEvents } from "./end-turn.ts";
import { makeRoomForEvents } from "./eviction.ts";
import { findLeased, holdsLease, renewLease } from "./hold-lease.ts";
import { refuseBadLimit } from "./page.ts";
import { saveState } from "./saved-state.ts";
import { turnChanged } from "./session-table.ts";
import type { Tables, TurnRow } from "./tables.ts";
import { toTurnMeta } from "./turn-meta.ts";

export interface Append {
  readonly lease: Lease;
  readonly request: AppendRequest;
}

export function appendEvents(tables: Tables, caller: Caller, { lease, request }: Append): Fenced {
  const turn = findLeased(tables, caller, lease);
  if (turn === undefined) return { ok: false };
  const now = tables.clock.now();
  const { batch, leaseMs, progress } = request;
  const { events, firstSeq } = batch;
  if (!holdsLease(turn, lease) || (events.length > 0 && firstSeq !== turn.lastSeq + 1)) {
    return { ok: isRepeated(turn, { epoch: lease.epoch, batch }), turn: toTurnMeta(turn, now) };
  }
  makeRoomForEvents(tables, events.length);
  addEvents(tables, turn, events);
  if (progress !== undefined) turn.saved = saveState(turn, progress);
  renewLease(tables, turn, { leaseMs, now });
  // Without either it is a heartbeat.
  if (events.length > 0 || progress !== undefined) {
    turn.version++;
    turn.updatedAt = now;
    turnChanged(tables, turn);
  }
  return { ok: true, turn: toTurnMeta(turn, now) };
}

export type EventPage = Parameters<EventLog["readEvents"]>[2] & { readonly snapshotId: string };

export function readEvents(
  tables: Tables,
  caller: Caller,
  { snapshotId, after, limit }: EventPage,
): { events: readonly StoredEvent[]; turn: TurnMeta } | undefined {
  refuseBadLimit(limit);
  refuseBadPosition(after);
  const turn = findTurn(tables, caller, snapshotId);
  if (turn === undefined) return undefined;
  // Epochs only grow along the log. What a reader holds beyond this was sent by a worker that never stored it.
  const shared = turn.events.findLastIndex(({ epoch }) => epoch <= after.epoch) + 1;
  const start = Math.min(after.seq, shared);
  return { events: turn.events.slice(start, start + limit), turn: toTurnMeta(turn, tables.clock.now()) };
}

function refuseBadPosition({ epoch, seq }: EventPage["after"]): void {
  if (Number.isInteger(seq) && seq >= 0 && Number.isInteger(epoch) && epoch >= 0) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Events are read after epoch ${epoch}, seq ${seq}; both are whole numbers, 0 and 0 for all.`,
    { details: { epoch: String(epoch), seq: String(seq) } },
  );
}

/** The last texts of the log, written under the same epoch, by the writer that still has it. */
function isRepeated(turn: TurnRow, { epoch, batch }: { epoch: number; batch: EventBatch }): boolean {
  const { events, firstSeq } = batch;
  if (turn.epoch !== epoch || events.length === 0 || firstSeq + events.length - 1 !== turn.lastSeq) return false;
  return events.every((json, index) => {
    const stored = turn.events[firstSeq - 1 + index];
    return stored !== undefined && stored.epoch === epoch && stored.json === json;
  });
}
