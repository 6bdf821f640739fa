import { jsonEqualAt, type PointerToken } from "../json/index.ts";

/** One step from the one array to the other. `index` counts in the array as the steps before it left it. */
export type ArrayEdit =
  | { type: "add"; index: number; value: unknown }
  | { type: "remove"; index: number }
  | { type: "change"; index: number; before: unknown; after: unknown };

/** Most pairs of elements that are compared for a shortest edit script: 64 by 64. */
const MAX_SCRIPT_PAIRS = 4_096;

/** How far ahead a scan looks for where two long arrays meet again, in elements. */
const LOOKAHEAD = 8;

/**
 * The steps from `before` to `after`, lazily, so that a caller who gives up pays for no more. What both arrays begin
 * and end with is skipped. What is left gets a shortest edit script when it is small; else it is scanned once, which
 * finds scattered insertions and removals but no long moves. The elements of a change may turn out to be equal.
 * `path` is where the arrays are; it is unchanged at every step.
 */
export function* arrayEdits(
  before: readonly unknown[],
  after: readonly unknown[],
  path: PointerToken[],
): Generator<ArrayEdit> {
  const start = commonStart(before, after, path);
  const end = commonEnd(before, after, start, path);
  const removed = elements(before, start, end);
  const added = elements(after, start, end);
  yield* isSmall(removed, added)
    ? shortestEdits(removed, added, start, path)
    : scannedEdits(removed, added, start, path);
}

function commonStart(before: readonly unknown[], after: readonly unknown[], path: PointerToken[]): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && jsonEqualAt(count, before[count] ?? null, after[count] ?? null, path)) count++;
  return count;
}

function commonEnd(before: readonly unknown[], after: readonly unknown[], start: number, path: PointerToken[]): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most) {
    const from = before.length - 1 - count;
    const to = after.length - 1 - count;
    if (!jsonEqualAt(to, before[from] ?? null, after[to] ?? null, path)) break;
    count++;
  }
  return count;
}

/** What is between. JSON has no undefined elements: said as one, an added `value` would be lost on the way. */
function elements(array: readonly unknown[], start: number, end: number): unknown[] {
  return Array.from(array.slice(start, array.length - end), (element) => element ?? null);
}

/** Whether a script is worth looking for: more than one way to pair the elements, and few enough. */
function isSmall(removed: readonly unknown[], added: readonly unknown[]): boolean {
  const pairs = removed.length * added.length;
  return pairs > 1 && pairs <= MAX_SCRIPT_PAIRS;
}

/** The edit distance over whole elements; what changed inside a replaced one is the caller's to find. */
function* shortestEdits(
  removed: readonly unknown[],
  added: readonly unknown[],
  start: number,
  path: PointerToken[],
): Generator<ArrayEdit> {
  const { isEqual, steps } = compareAll(removed, added, path);
  let from = 0;
  let to = 0;
  while (from < removed.length || to < added.length) {
    const index = start + to;
    if (isEqual(from, to)) {
      from++;
      to++;
    } else if (steps(from, to) === 1 + steps(from + 1, to)) {
      // Before a change of the same length: that would be two changes where an element was kept.
      yield { type: "remove", index };
      from++;
    } else if (steps(from, to) === 1 + steps(from, to + 1)) {
      yield { type: "add", index, value: added[to++] };
    } else {
      yield { type: "change", index, before: removed[from++], after: added[to++] };
    }
  }
}

/** Which elements are equal, and how many steps lead from the rest of the one array to the rest of the other. */
function compareAll(removed: readonly unknown[], added: readonly unknown[], path: PointerToken[]) {
  const width = added.length + 1;
  const equal = new Uint8Array((removed.length + 1) * width);
  const counts = new Uint16Array((removed.length + 1) * width);
  const inside = (from: number, to: number) => from <= removed.length && to <= added.length;
  const steps = (from: number, to: number) =>
    inside(from, to) ? (counts[from * width + to] as number) : Number.POSITIVE_INFINITY;
  for (let from = removed.length; from >= 0; from--) {
    for (let to = added.length; to >= 0; to--) {
      const at = from * width + to;
      const both = from < removed.length && to < added.length;
      if (both && jsonEqualAt(to, removed[from], added[to], path)) {
        equal[at] = 1;
        counts[at] = steps(from + 1, to + 1);
      } else if (from < removed.length || to < added.length) {
        counts[at] = 1 + Math.min(steps(from + 1, to + 1), steps(from + 1, to), steps(from, to + 1));
      }
    }
  }
  return { isEqual: (from: number, to: number) => inside(from, to) && equal[from * width + to] === 1, steps };
}

/** At each difference, goes on where the arrays meet again within `LOOKAHEAD`, or takes the element as changed. */
function* scannedEdits(
  removed: readonly unknown[],
  added: readonly unknown[],
  start: number,
  path: PointerToken[],
): Generator<ArrayEdit> {
  let from = 0;
  let to = 0;
  while (from < removed.length || to < added.length) {
    const index = start + to;
    const skip = elementsToSkip(removed, from, added, to, path);
    for (let count = skip; count > 0; count--, from++) yield { type: "remove", index };
    for (let count = skip; count < 0; count++, to++) yield { type: "add", index: start + to, value: added[to] };
    if (skip === 0) yield { type: "change", index, before: removed[from++], after: added[to++] };
  }
}

/** How many elements to remove (positive) or to add (negative) before the two arrays agree again; 0 for a change. */
function elementsToSkip(
  removed: readonly unknown[],
  from: number,
  added: readonly unknown[],
  to: number,
  path: PointerToken[],
): number {
  if (to >= added.length) return removed.length - from;
  if (from >= removed.length) return to - added.length;
  const agree = (ahead: number, behind: number) =>
    from + ahead < removed.length &&
    to + behind < added.length &&
    jsonEqualAt(to + behind, removed[from + ahead], added[to + behind], path);
  if (agree(0, 0) || agree(1, 1)) return 0;
  for (let distance = 1; distance <= LOOKAHEAD; distance++) {
    if (agree(distance, 0)) return distance;
    if (agree(0, distance)) return -distance;
  }
  return 0;
}
