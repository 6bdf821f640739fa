import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentError } from "../error/index.ts";
import { formatPointer, isRefusedToken } from "../json/index.ts";
import { applyPatch } from "./apply-patch.ts";
import { diff } from "./diff.ts";
import type { PatchOperation } from "./patch-operation.ts";

const RUNS = { numRuns: 500 };

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "c") },
  { weight: 2, arbitrary: fc.constantFrom("__proto__", "constructor", "prototype", "toString") },
  { weight: 2, arbitrary: fc.constantFrom("", "a/b", "m~n", "~1", "0", "-", "é", "😀", "\ud800") },
  { weight: 1, arbitrary: fc.string() },
);

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.oneof(fc.constantFrom(null, true, false, 0, 1, "", "x"), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.array(tie("json"), { maxLength: 8 }),
    fc.dictionary(key, tie("json"), { maxKeys: 6 }),
  ),
}));

/** Where and how to change a document; numbers choose among what is there, so that most changes are possible. */
const edit = fc.record({
  op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test" as const),
  place: fc.nat(),
  other: fc.nat(),
  key: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("a", "b", "0", "1", "-") }, { weight: 1, arbitrary: key }),
  append: fc.boolean(),
  value: json,
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

describe("apply and diff", () => {
  it("lead from any document to any other, touching neither", () => {
    fc.assert(fc.property(json, json, leadsTo), RUNS);
  });

  it("lead to an edited copy that shares nothing with the original", () => {
    fc.assert(
      fc.property(json, fc.array(edit, { maxLength: 6 }), (before, edits) => {
        leadsTo(before, clone(edited(clone(before), edits)));
      }),
      RUNS,
    );
  });

  it("lead to an immutable update that shares what did not change", () => {
    fc.assert(
      fc.property(json, fc.array(edit, { maxLength: 6 }), (before, edits) => {
        leadsTo(before, edited(before, edits));
      }),
      RUNS,
    );
  });

  it("lead from one array to another that was spliced, of any length", () => {
    const item = fc.oneof(fc.nat({ max: 3 }), fc.record({ id: fc.nat({ max: 9 }), v: fc.nat({ max: 2 }) }));
    const splice = fc.record({
      at: fc.nat({ max: 80 }),
      count: fc.nat({ max: 4 }),
      items: fc.array(item, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 80, size: "max" }),
        fc.array(splice, { maxLength: 5 }),
        (before, splices) => {
          const after = clone(before) as unknown[];
          for (const { at, count, items } of splices) after.splice(at, count, ...items);
          leadsTo({ before }, { before: after });
        },
      ),
      RUNS,
    );
  });

  it("say nothing of documents that differ only in the order of members", () => {
    fc.assert(
      fc.property(json, (document) => {
        expect(diff(document, reversed(document))).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe("applyPatch", () => {
  it("agrees with a straightforward implementation that copies everything first", () => {
    let succeeded = 0;
    fc.assert(
      fc.property(json, fc.array(edit, { maxLength: 4 }), (document, edits) => {
        const patch = operations(document, edits);
        const expected = outcome(() => naiveApply(document, patch));
        const actual = outcome(() => applyPatch(freeze(document), freeze(patch)));
        expect(actual.refused).toBe(expected.refused);
        expectSame(actual.result, expected.result);
        if (!actual.refused) succeeded++;
      }),
      RUNS,
    );
    // Or else only refusals were compared.
    expect(succeeded).toBeGreaterThan(RUNS.numRuns / 10);
  });
});

function leadsTo(before: unknown, after: unknown): void {
  const patch = diff(freeze(before), freeze(after));
  expectSame(applyPatch(before, freeze(patch)), after);
  expectSame(applyPatch(before, JSON.parse(JSON.stringify(patch))), after);
  if (patch.length === 0) expectSame(before, after);
  else expect(isDeepStrictEqual(clone(before), clone(after))).toBe(false);
}

function expectSame(a: unknown, b: unknown): void {
  if (!isDeepStrictEqual(clone(a), clone(b))) expect(clone(a)).toEqual(clone(b));
  expect(isDeepStrictEqual(clone(a), clone(b))).toBe(true);
}

function clone(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

/** The document after those of the edits that can be made, one by one. */
function edited(document: unknown, edits: readonly Edit[]): unknown {
  let result = document;
  for (const one of edits) {
    const { refused, result: next } = outcome(() => applyPatch(result, operations(result, [one])));
    if (!refused && next !== undefined) result = next;
  }
  return result;
}

function operations(document: unknown, edits: readonly Edit[]): PatchOperation[] {
  const places = pointersIn(document);
  return edits.map((one): PatchOperation => {
    const place = places[one.place % places.length] ?? "";
    const from = places[one.other % places.length] ?? "";
    const path = one.append ? `${place}${formatPointer([one.key])}` : place;
    switch (one.op) {
      case "remove":
        return { op: "remove", path };
      case "move":
      case "copy":
        return { op: one.op, from, path };
      default:
        return { op: one.op, path, value: one.value };
    }
  });
}

function pointersIn(value: unknown, tokens: readonly string[] = []): string[] {
  const here = [formatPointer(tokens)];
  if (typeof value !== "object" || value === null) return here;
  const named = Object.entries(value).filter(([name]) => !isRefusedToken(name));
  return here.concat(...named.map(([name, member]) => pointersIn(member, [...tokens, name])));
}

function outcome(run: () => unknown): { refused: boolean; result?: unknown } {
  try {
    return { refused: false, result: run() };
  } catch (error) {
    if (error instanceof Refused || AgentError.is(error)) return { refused: true };
    throw error;
  }
}

class Refused extends Error {}

/** The text of RFC 6902, by mutation of a copy. The document hangs below a holder, so that the root is no special case. */
function naiveApply(document: unknown, patch: readonly PatchOperation[]): unknown {
  const holder: Record<string, unknown> = { root: clone(document) };
  for (const operation of patch) naiveOperation(holder, operation);
  return holder.root;
}

function naiveOperation(holder: object, operation: PatchOperation): void {
  switch (operation.op) {
    case "add":
      put(holder, operation.path, clone(operation.value));
      break;
    case "remove":
      take(holder, operation.path);
      break;
    case "replace":
      if (operation.path !== "") take(holder, operation.path);
      put(holder, operation.path, clone(operation.value));
      break;
    case "move":
      get(holder, operation.from);
      if (operation.path.startsWith(`${operation.from}/`)) throw new Refused();
      put(holder, operation.path, take(holder, operation.from));
      break;
    case "copy":
      put(holder, operation.path, clone(get(holder, operation.from)));
      break;
    case "test":
      if (!isDeepStrictEqual(clone(get(holder, operation.path)), clone(operation.value))) throw new Refused();
  }
}

function find(holder: object, pointer: string): { parent: Record<string, unknown> | unknown[]; name: string } {
  const names = `/root${pointer}`
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (names.some(isRefusedToken)) throw new Refused();
  let parent: unknown = holder;
  for (const name of names.slice(0, -1)) {
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, name)) throw new Refused();
    if (Array.isArray(parent) && !/^\d+$/.test(name)) throw new Refused();
    parent = (parent as Record<string, unknown>)[name];
  }
  if (typeof parent !== "object" || parent === null) throw new Refused();
  return { parent: parent as Record<string, unknown>, name: names.at(-1) ?? "" };
}

function get(holder: object, pointer: string): unknown {
  const { parent, name } = find(holder, pointer);
  if (Array.isArray(parent) && !/^\d+$/.test(name)) throw new Refused();
  const value = Object.hasOwn(parent, name) ? (parent as Record<string, unknown>)[name] : undefined;
  if (value === undefined) throw new Refused();
  return value;
}

function take(holder: object, pointer: string): unknown {
  const value = get(holder, pointer);
  const { parent, name } = find(holder, pointer);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return value;
}

function put(holder: object, pointer: string, value: unknown): void {
  const { parent, name } = find(holder, pointer);
  if (!Array.isArray(parent)) {
    parent[name] = value;
    return;
  }
  const index = name === "-" ? parent.length : Number(name);
  if (name !== "-" && (!/^(0|[1-9]\d*)$/.test(name) || index > parent.length)) throw new Refused();
  parent.splice(index, 0, value);
}
