import type { PruneRule } from "@agents/schema/port";
import type { SessionTree, TreeRow } from "./session-tree.ts";

export interface Droppable {
  /** Oldest first. */
  readonly rows: readonly TreeRow[];
  /** Of rows that stay: those that may lose their events. */
  readonly logs: readonly TreeRow[];
}

/** What the rule allows to drop. Knows of no store: a tree goes in, a choice comes out. */
export function chooseDroppable(tree: SessionTree, rule: PruneRule): Droppable {
  const kept = keptRows(tree, rule);
  const { eventsOlderThanMs } = rule;
  const losesEvents = (row: TreeRow) =>
    eventsOlderThanMs !== undefined && row.events > 0 && !isLive(row) && row.ageMs > eventsOlderThanMs;
  return {
    rows: tree.rows.filter((row) => !kept.has(row)),
    logs: tree.rows.filter((row) => kept.has(row) && losesEvents(row)),
  };
}

function keptRows(tree: SessionTree, rule: PruneRule): ReadonlySet<TreeRow> {
  const { rows } = tree;
  if (rule.keepLast === undefined && rule.olderThanMs === undefined) return new Set(rows);
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  const newest = rule.keepLast === undefined ? undefined : newestOfChains(rows, byOrdinal, rule.keepLast);
  const kept = new Set<TreeRow>();
  for (const row of rows) {
    const young = rule.olderThanMs !== undefined && row.ageMs <= rule.olderThanMs;
    const held = isLive(row) || row.ordinal === tree.headOrdinal || row.waiting;
    if (held || young || newest?.has(row) === true) kept.add(row);
  }
  return withBases(kept, byOrdinal);
}

/** Those less than `count` steps above a leaf. */
function newestOfChains(
  rows: readonly TreeRow[],
  byOrdinal: ReadonlyMap<number, TreeRow>,
  count: number,
): ReadonlySet<TreeRow> {
  const parents = new Set(rows.map(({ parentOrdinal }) => parentOrdinal));
  const stepsTo = new Map<TreeRow, number>();
  for (const leaf of rows) {
    if (parents.has(leaf.ordinal)) continue;
    let row: TreeRow | undefined = leaf;
    for (let steps = 0; steps < count && row !== undefined; steps++) {
      // A shorter way led here before, and has gone on from here.
      if ((stepsTo.get(row) ?? Number.POSITIVE_INFINITY) <= steps) break;
      stepsTo.set(row, steps);
      row = byOrdinal.get(row.parentOrdinal);
    }
  }
  return new Set(stepsTo.keys());
}

/** And the rows that theirs are patches of, up to a checkpoint. A live row needs what it started from. */
function withBases(kept: ReadonlySet<TreeRow>, byOrdinal: ReadonlyMap<number, TreeRow>): ReadonlySet<TreeRow> {
  const all = new Set(kept);
  // Each row once: chains share their ancestors.
  const followed = new Set<TreeRow>();
  for (const start of kept) {
    let row: TreeRow | undefined = start;
    while (row !== undefined && !followed.has(row)) {
      all.add(row);
      followed.add(row);
      row = row.kind === "full" && !isLive(row) ? undefined : byOrdinal.get(row.parentOrdinal);
    }
  }
  return all;
}

function isLive({ status }: TreeRow): boolean {
  return status === "pending" || status === "aborting";
}
