import type { EventLog, StoredEvent } from "@agents/schema/port";
import type { Row } from "./database/statement.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { appendValues } from "./row/outcome-values.ts";
import { readTurnText } from "./row/turn-text.ts";
import { decodeTexts, encodeText } from "./text/text.ts";
import { fencedOf } from "./turn-part.ts";

/** A batch is a row: what is written at once is kept at once, and taken apart by the reader. */
export function eventPart(context: PostgresContext): EventLog {
  return {
    async append(caller, { snapshotId, epoch }, { batch, leaseMs, progress }) {
      const values = [encodeText(snapshotId), epoch, leaseMs, ...appendValues(batch, progress)];
      const rows = await context.runSteps("append", [...context.admit(caller), ...values]);
      const fenced = fencedOf(rows[0]);
      if (fenced.ok) context.hints.raise(caller.scope, [snapshotId]);
      return fenced;
    },

    async readEvents(caller, snapshotId, { after, limit }) {
      const page = [after.epoch, after.seq, Math.min(limit, Number.MAX_SAFE_INTEGER)];
      const values = [...context.admit(caller), encodeText(snapshotId), ...page];
      const [first, ...batches] = await context.run(context.statements.readEvents, values);
      if (first === undefined) return undefined;
      const start = Number(first[2]);
      const events = batches.flatMap(eventsOf).filter(({ seq }) => seq > start);
      return { events: events.slice(0, limit), turn: readTurnText(first[1]) };
    },
  };
}

/** Of a row of first number, epoch and body. */
export function eventsOf([, first, epoch, body]: Row): StoredEvent[] {
  return decodeTexts(body ?? "").map((json, index) => ({ seq: Number(first) + index, epoch: Number(epoch), json }));
}
