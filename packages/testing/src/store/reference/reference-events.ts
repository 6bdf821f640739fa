import type { EventBatch, EventLog } from "@agents/schema/port";
import {
  addEvents,
  change,
  findTurn,
  isLive,
  metaOf,
  type ReferenceRows,
  renew,
  type TurnRow,
} from "./reference-rows.ts";

export function referenceEvents(rows: ReferenceRows): EventLog {
  return {
    async append(caller, lease, { batch, leaseMs, progress }) {
      const row = findTurn(rows, caller, lease.snapshotId);
      if (row === undefined) return { ok: false };
      if (row.meta.epoch !== lease.epoch) return { ok: false, turn: metaOf(rows, row) };
      const follows = batch.events.length === 0 || batch.firstSeq === row.meta.lastSeq + 1;
      if (!isLive(row) || !follows) {
        return { ok: isRepeat(row, batch), turn: metaOf(rows, row) };
      }
      renew(rows, row, leaseMs);
      addEvents(rows, row, batch.events);
      if (progress !== undefined) row.content = progress;
      if (batch.events.length > 0 || progress !== undefined) change(rows, row, {});
      return { ok: true, turn: metaOf(rows, row) };
    },
    async readEvents(caller, snapshotId, { after, limit }) {
      const row = findTurn(rows, caller, snapshotId);
      if (row === undefined) return undefined;
      const stored = row.events.findLast(({ epoch }) => epoch <= after.epoch)?.seq ?? 0;
      const start = Math.min(after.seq, stored);
      return { events: row.events.filter(({ seq }) => seq > start).slice(0, limit), turn: metaOf(rows, row) };
    },
  };
}

function isRepeat(row: TurnRow, { firstSeq, events }: EventBatch): boolean {
  return (
    events.length > 0 &&
    firstSeq + events.length - 1 === row.meta.lastSeq &&
    events.every((json, index) => {
      const stored = row.events.find(({ seq }) => seq === firstSeq + index);
      return stored?.json === json && stored.epoch === row.meta.epoch;
    })
  );
}
