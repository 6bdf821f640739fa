import { AgentError } from "@agents/schema/error";
import type { Caller, PruneRule } from "@agents/schema/port";
import { ColumnDraft } from "../record/record-draft.ts";
import { findSession } from "../session/find-row.ts";
import { droppableLogs, droppableRows } from "../session/retention.ts";
import { refuseBadLimit } from "./limit.ts";
import { type StoreFiles, sessionPlace } from "./store-files.ts";

export interface Prune {
  readonly sessionId: string;
  readonly rule: PruneRule;
  readonly limit: number;
}

export type Pruned = { readonly dropped: number; readonly more: boolean };

/** Writes down what goes; the bytes leave the disk when they are most of the journal. */
export function pruneSession(files: StoreFiles, caller: Caller, { sessionId, rule, limit }: Prune): Promise<Pruned> {
  refuseBadLimit(limit);
  refuseBadRule(rule);
  const nothing: Pruned = { dropped: 0, more: false };
  return files.journals.change<Pruned>({
    place: sessionPlace(caller, sessionId),
    missing: () => nothing,
    decide({ tables }, now) {
      const session = findSession(tables, caller, sessionId);
      if (session === undefined) return { answer: nothing };
      const allRows = droppableRows(session, rule, now);
      const rows = allRows.slice(0, limit);
      const dropped = new Set(rows);
      const allLogs = droppableLogs(session, rule, now).filter((turn) => !dropped.has(turn));
      const logs = allLogs.slice(0, limit - rows.length);
      if (rows.length + logs.length === 0) return { answer: nothing };
      const record = {
        t: "prune",
        at: now,
        s: session.number,
        rows: rows.map(({ ordinal }) => ordinal),
        logs: logs.map(({ ordinal }) => ordinal),
      } as const;
      const more = allRows.length > rows.length || allLogs.length > logs.length;
      const answered = (): Pruned => ({ dropped: rows.length, more });
      return { write: { record, columns: new ColumnDraft() }, answered };
    },
  });
}

/** Rows that may go at once after a settle; more go after the next. */
const ROWS_PER_SETTLE = 64;

/** Looks at a session's rows once for each `keepLast` rows that came, not after each turn. */
export async function keepChainsShort(
  files: StoreFiles,
  caller: Caller,
  { sessionId, keepLast }: { readonly sessionId: string; readonly keepLast: number },
): Promise<void> {
  const count = await files.journals.read(sessionPlace(caller, sessionId), (journal) => {
    return journal && findSession(journal.tables, caller, sessionId)?.lastOrdinal;
  });
  if (count === undefined || count <= keepLast || count % keepLast !== 0) return;
  // The turn is settled, so what fails here is nobody's failure; the next settle tries again.
  await pruneSession(files, caller, { sessionId, rule: { keepLast }, limit: ROWS_PER_SETTLE + keepLast }).catch(
    () => undefined,
  );
}

function refuseBadRule({ keepLast, olderThanMs, eventsOlderThanMs }: PruneRule): void {
  if (keepLast === undefined && olderThanMs === undefined && eventsOlderThanMs === undefined) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      "A prune rule has at least one of keepLast, olderThanMs and eventsOlderThanMs.",
    );
  }
  if (keepLast !== undefined && !(Number.isInteger(keepLast) && keepLast >= 1)) {
    throw new AgentError("INVALID_ARGUMENT", `keepLast is ${keepLast}; it takes a whole number of at least 1.`);
  }
  for (const [name, age] of Object.entries({ olderThanMs, eventsOlderThanMs })) {
    if (age === undefined || age >= 0) continue;
    throw new AgentError("INVALID_ARGUMENT", `${name} is ${age}; it takes milliseconds, 0 or more.`);
  }
}
