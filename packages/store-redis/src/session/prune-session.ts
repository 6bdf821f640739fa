import { AgentError } from "@agents/schema/error";
import type { Caller, PruneRule } from "@agents/schema/port";
import type { StoreContext } from "../context/store-context.ts";
import { refuseBadLimit } from "../record/page-limit.ts";
import { ownerArg } from "../record/script-args.ts";
import { chooseDroppable } from "./choose-droppable.ts";
import { type SessionTree, type TreeRow, toTreeRows } from "./session-tree.ts";

export interface Prune {
  readonly sessionId: string;
  readonly rule: PruneRule;
  readonly limit: number;
}

export interface Pruned {
  readonly dropped: number;
  readonly more: boolean;
}

/** Rows in one read of the tree, and fields in one drop: neither keeps the server from others for long. */
const ROWS_PER_READ = 500;
const FIELDS_PER_DROP = 20_000;
/** A turn that begins meanwhile makes the choice out of date. */
const ATTEMPTS = 5;

/**
 * Reads the tree, chooses here, and drops in one script what was chosen, if no turn was begun since: the rule is not the
 * server's to work out while others wait. A session too busy for that answers that there is more.
 */
export async function pruneSession(store: StoreContext, caller: Caller, prune: Prune): Promise<Pruned> {
  refuseUselessRule(prune);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const tree = await readTree(store, caller, prune.sessionId);
    if (tree === undefined) return { dropped: 0, more: false };
    const { rows, logs } = chooseDroppable(tree, prune.rule);
    if (rows.length + logs.length === 0) return { dropped: 0, more: false };
    const batch = takeBatch(rows, logs, prune.limit);
    const dropped = await drop(store, caller, { sessionId: prune.sessionId, tree, ...batch });
    if (dropped !== "changed") {
      return { dropped, more: rows.length + logs.length > batch.rows.length + batch.logs.length };
    }
  }
  return { dropped: 0, more: true };
}

function refuseUselessRule({ rule, limit }: Prune): void {
  refuseBadLimit(limit);
  const { keepLast } = rule;
  if (keepLast !== undefined && !(Number.isInteger(keepLast) && keepLast >= 1)) {
    throw new AgentError("INVALID_ARGUMENT", `keepLast is ${keepLast}; it takes a whole number of at least 1.`);
  }
}

async function readTree(store: StoreContext, caller: Caller, sessionId: string): Promise<SessionTree | undefined> {
  const { key, index } = store.keys.ofSession(caller.scope, sessionId);
  const rows: TreeRow[] = [];
  for (let first = 0; ; ) {
    const last = first + ROWS_PER_READ - 1;
    const args = [ownerArg(caller), sessionId, String(first), String(last)];
    const [type, low, newest, head, drops, page] = await store.run("readTree", [key, index], args);
    if (type === "unknown") return undefined;
    const tree = { lowOrdinal: low as number, lastOrdinal: newest as number, drops: drops as number };
    rows.push(...toTreeRows(page));
    if (last >= tree.lastOrdinal) return { ...tree, headOrdinal: head as number, rows };
    first = Math.max(last + 1, tree.lowOrdinal);
  }
}

function takeBatch(rows: readonly TreeRow[], logs: readonly TreeRow[], limit: number) {
  const batch = { rows: [] as TreeRow[], logs: [] as TreeRow[] };
  let fields = 0;
  for (const [list, from] of [[batch.rows, rows] as const, [batch.logs, logs] as const]) {
    for (const row of from) {
      const isFull = batch.rows.length + batch.logs.length >= limit || fields >= FIELDS_PER_DROP;
      if (isFull) return batch;
      list.push(row);
      fields += row.events + 4;
    }
  }
  return batch;
}

interface Drop {
  readonly sessionId: string;
  readonly tree: SessionTree;
  readonly rows: readonly TreeRow[];
  readonly logs: readonly TreeRow[];
}

async function drop(
  store: StoreContext,
  caller: Caller,
  { sessionId, tree, rows, logs }: Drop,
): Promise<number | "changed"> {
  const { key, index } = store.keys.ofSession(caller.scope, sessionId);
  const gone = new Set(rows);
  const left = tree.rows.filter((row) => !gone.has(row));
  const args = [
    ownerArg(caller),
    sessionId,
    String(tree.lastOrdinal),
    String(tree.drops),
    String(left[0]?.ordinal ?? tree.lastOrdinal + 1),
    newestOf(left, "completed"),
    newestOf(left, "failed"),
    newestOf(left, "aborted"),
    String(rows.length),
    ...[...rows, ...logs].map(({ ordinal }) => String(ordinal)),
  ];
  const [type, dropped] = await store.run("dropRows", [key, index], args);
  if (type === "unknown") return 0;
  return type === "changed" ? type : (dropped as number);
}

function newestOf(rows: readonly TreeRow[], status: TreeRow["status"]): string {
  return String(rows.findLast((row) => row.status === status)?.ordinal ?? 0);
}
