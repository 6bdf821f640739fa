import { AgentError } from "@agents/schema/error";
import type { Caller, SessionRecord, StateContent, TurnRecord } from "@agents/schema/port";
import { RolledBack, type TransactionQuery } from "./database/database.ts";
import type { PostgresContext } from "./postgres-context.ts";
import { encodeText, encodeTexts } from "./text/text.ts";

type Content = SessionRecord<StateContent>;
type InsertedRow = Readonly<Record<string, unknown>>;

/** Rows of one insert: more would be a message of many megabytes. */
const ROWS_AT_ONCE = 100;

/** In one transaction. The session's row comes first, so that a begin of the same session waits for the outcome. */
export async function importSession(
  context: PostgresContext,
  caller: Caller,
  record: Content,
): Promise<{ type: "imported" | "conflict" }> {
  const [scope, asked] = context.admit(caller);
  refuseLive(record);
  const owner = asked ?? optional(record.session.owner);
  await context.facts();
  try {
    return await context.database.transaction("importSession", async (query) => {
      const insert = (table: string, rows: readonly InsertedRow[]) =>
        insertAll(query, `${context.schema}.${table}`, rows);
      await insert("session", [sessionRow(scope, owner, record)]);
      const turns = record.turns.map((turn) => turnRow(scope, owner, turn));
      await insert("turn", turns);
      const batches = record.turns.flatMap((turn) => batchRows(scope, turn));
      await insert("event_batch", batches);
      return { type: "imported" };
    });
  } catch (error) {
    if (error instanceof RolledBack) return { type: "conflict" };
    throw error;
  }
}

/** A turn that runs belongs to a worker that knows nothing of this store. */
function refuseLive({ turns }: Content): void {
  const live = turns.find(({ turn: { status } }) => status === "pending" || status === "aborting");
  if (live === undefined) return;
  const { snapshotId, status } = live.turn;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `Snapshot ${JSON.stringify(snapshotId)} is ${status}: only turns that have ended can be imported.`,
    {
      details: { snapshotId, status },
    },
  );
}

/** A row that exists already ends it: nothing of the record is then written. */
async function insertAll(query: TransactionQuery, table: string, rows: readonly InsertedRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const part = rows.slice(start, start + ROWS_AT_ONCE);
    const columns = Object.keys(part[0] ?? {});
    const values: unknown[] = [];
    const tuples = part.map((row) => `(${columns.map((column) => `$${values.push(row[column])}`).join(", ")})`);
    const text = `insert into ${table} (${columns.join(", ")}) values ${tuples.join(", ")} on conflict do nothing returning 'x'`;
    if ((await query(text, values)).length < part.length) throw new RolledBack("It exists.");
  }
}

function sessionRow(scope: string, owner: string | null, { session, turns }: Content): InsertedRow {
  const head = turns.find(({ turn }) => turn.snapshotId === session.headId)?.turn;
  return {
    scope,
    id: encodeText(session.sessionId),
    owner,
    agent: encodeText(session.agent),
    state: session.state,
    forked: session.forked,
    ord: turns.reduce((last, { turn }) => Math.max(last, turn.ordinal), 0),
    head: optional(session.headId),
    head_ord: head?.ordinal ?? 0,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    fingerprint: optional(session.fingerprint),
    metadata: optional(session.metadata),
  };
}

function turnRow(scope: string, owner: string | null, record: TurnRecord<StateContent>): InsertedRow {
  const { turn, content } = record;
  return {
    scope,
    id: encodeText(turn.snapshotId),
    session_id: encodeText(turn.sessionId),
    ord: turn.ordinal,
    version: turn.version,
    last_seq: turn.lastSeq,
    // Final rows have no lease.
    lease_until: turn.updatedAt,
    created_at: turn.createdAt,
    updated_at: turn.updatedAt,
    state_bytes: content?.stateBytes ?? null,
    load_bytes: content?.loadBytes ?? null,
    load_rows: content?.loadRows ?? null,
    epoch: turn.epoch,
    waiting: record.waiting,
    resumable: record.resumable,
    status: turn.status,
    agent: encodeText(turn.agent),
    owner,
    parent: optional(turn.parentId),
    trunk: optional(record.trunkId),
    fingerprint: optional(record.fingerprint),
    state_hash: optional(content?.stateHash),
    messages_digest: optional(content?.messagesDigest),
    kind: content?.kind ?? null,
    content: optional(content?.json),
    input: optional(record.input),
    result: optional(turn.result),
  };
}

/** Events of one epoch that follow each other make a batch, as if they had been written at once. */
function batchRows(scope: string, { turn, events }: TurnRecord<StateContent>): InsertedRow[] {
  const batches: { first: number; epoch: number; texts: string[] }[] = [];
  for (const { seq, epoch, json } of events) {
    const last = batches.at(-1);
    if (last !== undefined && last.epoch === epoch && last.texts.length < ROWS_AT_ONCE) last.texts.push(json);
    else batches.push({ first: seq, epoch, texts: [json] });
  }
  return batches.map(({ first, epoch, texts }) => ({
    scope,
    turn_id: encodeText(turn.snapshotId),
    last_seq: first + texts.length - 1,
    first_seq: first,
    epoch,
    body: encodeTexts(texts),
  }));
}

function optional(text: string | undefined): string | null {
  return text === undefined ? null : encodeText(text);
}
