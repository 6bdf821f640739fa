import { describe, expect, it } from "vitest";
import { chooseDroppable } from "./choose-droppable.ts";
import type { SessionTree, TreeRow } from "./session-tree.ts";

type Row = Partial<TreeRow> & { readonly parent: number };

/** Ordinals from 1, in the order given; completed checkpoints of an hour ago. */
function tree(rows: readonly Row[], headOrdinal = rows.length): SessionTree {
  return {
    lowOrdinal: 1,
    lastOrdinal: rows.length,
    headOrdinal,
    drops: 0,
    rows: rows.map(({ parent, ...row }, index) => ({
      ordinal: index + 1,
      parentOrdinal: parent,
      status: "completed",
      ageMs: 3_600_000,
      kind: "full",
      waiting: false,
      events: 0,
      ...row,
    })),
  };
}

const line = (length: number, row: Partial<TreeRow> = {}) =>
  Array.from({ length }, (_, index): Row => ({ parent: index, ...row }));
const dropped = (given: SessionTree, rule: Parameters<typeof chooseDroppable>[1]) =>
  chooseDroppable(given, rule).rows.map(({ ordinal }) => ordinal);

describe("retention", () => {
  it("keeps the newest of each chain", () => {
    const fork = tree([...line(3), { parent: 1 }, { parent: 4 }]);
    expect(dropped(fork, { keepLast: 2 })).toEqual([1]);
    expect(dropped(fork, { keepLast: 1 })).toEqual([1, 2, 4]);
  });

  it("keeps bases of kept patches, back to a checkpoint", () => {
    const rows = line(5).map((row, index): Row => ({ ...row, kind: index > 2 ? "patch" : "full" }));
    expect(dropped(tree(rows), { keepLast: 1 })).toEqual([1, 2]);
  });

  it("keeps what a live row started from, though it saved a whole state as progress", () => {
    const rows: Row[] = [{ parent: 0 }, { parent: 1, status: "pending", kind: "full" }, { parent: 1 }];
    expect(dropped(tree(rows), { olderThanMs: 0 })).toEqual([]);
  });

  it("keeps the head, what waits and what is young, and needs both rules to agree", () => {
    const rows: Row[] = [
      { parent: 0 },
      { parent: 1, waiting: true },
      { parent: 1, ageMs: 5 },
      { parent: 1 },
      { parent: 1 },
    ];
    expect(dropped(tree(rows, 4), { olderThanMs: 10 })).toEqual([1, 5]);
    expect(dropped(tree(rows, 4), { olderThanMs: 10, keepLast: 1 })).toEqual([1]);
  });

  it("drops events of old final rows that stay, whatever becomes of rows", () => {
    const rows: Row[] = [
      { parent: 0, events: 3 },
      { parent: 1, events: 2, ageMs: 5 },
      { parent: 2, events: 1, status: "pending" },
    ];
    const { rows: gone, logs } = chooseDroppable(tree(rows), { eventsOlderThanMs: 10 });
    expect([gone, logs.map(({ ordinal }) => ordinal)]).toEqual([[], [1]]);
  });

  it("takes time in proportion to the rows of a long chain of patches", () => {
    const rows = line(20_000).map((row, index): Row => ({ ...row, kind: index === 0 ? "full" : "patch" }));
    expect(dropped(tree(rows), { olderThanMs: 1e9 })).toEqual([]);
  });
});
