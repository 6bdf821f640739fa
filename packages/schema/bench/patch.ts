import type { Comparison } from "@tooling/bench";
import { createPatch } from "rfc6902";
import { applyPatch, diff, type PatchOperation } from "../src/patch/index.ts";

interface Item {
  id: number;
  text: string;
  done: boolean;
}

interface Custom {
  items: (Item & { body: string })[];
  byName: Record<string, { count: number; label: string }>;
  cursor: { page: number };
}

export const patchComparisons = (): Comparison[] => [oneChange(), prepend(), append(), ...fieldChanges()];

/** Equal parts are not shared, as after a state transform: everything has to be looked at once. */
function oneChange(): Comparison {
  const before = items(5_000);
  const after = structuredClone(before);
  after[2_500] = { id: 2_500, text: "changed", done: false };
  return between("diff, one of 5,000 items changed", before, after, 1);
}

function prepend(): Comparison {
  const before = items(1_000);
  return between(
    "diff, prepend to 1,000 items",
    before,
    [{ id: -1, text: "new", done: false }, ...structuredClone(before)],
    1,
  );
}

function between(name: string, before: unknown, after: unknown, atMost: number): Comparison {
  return {
    name: `${name} / JSON.stringify of both`,
    ours: () => diff(before, after),
    baseline: () => JSON.stringify(before).length + JSON.stringify(after).length,
    atMost,
    note: produced(diff(before, after)),
  };
}

function append(): Comparison {
  const message = (n: number) => ({ role: "user", content: [{ text: `message ${n} ${"x".repeat(100)}` }] });
  const messages = Array.from({ length: 1_000 }, (_, n) => message(n));
  const state = { sessionId: "s", messages, custom: { n: 1 }, artifacts: [] };
  const value = message(1_000);
  const patch: PatchOperation[] = [{ op: "add", path: "/messages/-", value }];
  return {
    name: "apply, append to 1,000 messages / [...messages, m]",
    ours: () => applyPatch(state, patch),
    baseline: () => [...messages, value],
    atMost: 4,
    note: produced(patch),
  };
}

/** Each state is an immutable update of the one before; 100 KB, half of it in an array, half in a record. */
function fieldChanges(): Comparison[] {
  const custom: Custom = {
    items: items(120).map((item) => ({ ...item, body: "x".repeat(380) })),
    byName: Object.fromEntries(items(1_000).map(({ id }) => [`name-${id}`, { count: 0, label: "some label" }])),
    cursor: { page: 0 },
  };
  return [
    changing("an array", custom, (state, n) => ({
      ...state,
      items: state.items.with(n % 120, { ...(state.items[n % 120] as Custom["items"][0]), text: `change ${n}` }),
    })),
    changing("a record", custom, (state, n) => ({
      ...state,
      byName: { ...state.byName, [`name-${n % 1_000}`]: { count: n + 1, label: "some label" } },
    })),
  ];
}

function changing(where: string, first: Custom, change: (state: Custom, n: number) => Custom): Comparison {
  const states = [first];
  for (let n = 0; n < 1_000; n++) states.push(change(states[n] as Custom, n));
  const all = states.slice(1).flatMap((state, n) => diff(states[n], state));
  return {
    name: `diff, 1 of 1,000 changes in ${where} of ${kilobytes(first)} / rfc6902`,
    ours: walking(states, diff),
    baseline: walking(states, createPatch),
    atMost: 0.04,
    note: `${produced(all)} for all 1,000`,
  };
}

/** Each call takes the next pair of neighbours. */
function walking(states: readonly Custom[], between: (before: unknown, after: unknown) => unknown): () => unknown {
  let n = 0;
  return () => {
    n = (n + 1) % (states.length - 1);
    return between(states[n], states[n + 1]);
  };
}

function items(count: number): Item[] {
  return Array.from({ length: count }, (_, id) => ({ id, text: `item ${id}`, done: false }));
}

function produced(patch: readonly unknown[]): string {
  return `${patch.length} op${patch.length === 1 ? "" : "s"}, ${JSON.stringify(patch).length} B`;
}

function kilobytes(value: unknown): string {
  return `${Math.round(JSON.stringify(value).length / 1_000)} KB`;
}
