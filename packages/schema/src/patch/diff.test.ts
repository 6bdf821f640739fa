import { describe, expect, it } from "vitest";
import { jsonEqual } from "../json/index.ts";
import { applyPatch } from "./apply-patch.ts";
import { diff, MAX_OPERATIONS } from "./diff.ts";
import type { PatchOperation } from "./patch-operation.ts";

interface Item {
  id: number;
  text: string;
  done: boolean;
}

function items(count: number, from = 0): Item[] {
  return Array.from({ length: count }, (_, n) => ({ id: from + n, text: `item ${from + n}`, done: false }));
}

/** The patch, as a peer gets it and shown to lead from the one to the other. */
function patchBetween(before: unknown, after: unknown): PatchOperation[] {
  const patch: PatchOperation[] = JSON.parse(JSON.stringify(diff(before, after)));
  expect(jsonEqual(applyPatch(before, patch), after)).toBe(true);
  return patch;
}

describe("diff", () => {
  it("is empty for the same JSON", () => {
    expect(diff({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
    expect(diff({ a: 1, b: undefined }, { c: undefined, a: 1 })).toEqual([]);
    expect(diff([undefined, -0, Number.NaN], [null, 0, Number.NaN])).toEqual([]);
    expect(diff(undefined, undefined)).toEqual([]);
    expect(diff("a", "a")).toEqual([]);
  });

  it("adds, removes and replaces members, with names escaped", () => {
    expect(patchBetween({ same: 1, "a/b": 1, gone: 1 }, { same: 1, "a/b": 2, "m~n": 3, "": 4 })).toEqual([
      { op: "replace", path: "/a~1b", value: 2 },
      { op: "add", path: "/m~0n", value: 3 },
      { op: "add", path: "/", value: 4 },
      { op: "remove", path: "/gone" },
    ]);
  });

  it("removes a member that became undefined and adds one that was", () => {
    expect(patchBetween({ a: 1, b: undefined }, { a: undefined, b: 2 })).toEqual([
      { op: "remove", path: "/a" },
      { op: "add", path: "/b", value: 2 },
    ]);
  });

  it("replaces values of another kind as a whole", () => {
    expect(patchBetween({ a: [1] }, { a: { 0: 1 } })).toEqual([{ op: "replace", path: "/a", value: { 0: 1 } }]);
    expect(patchBetween({ a: null }, { a: {} })).toEqual([{ op: "replace", path: "/a", value: {} }]);
    expect(patchBetween(1, "1")).toEqual([{ op: "replace", path: "", value: "1" }]);
  });

  it("takes undefined for an absent document", () => {
    expect(diff(undefined, { a: 1 })).toEqual([{ op: "add", path: "", value: { a: 1 } }]);
    expect(diff({ a: 1 }, undefined)).toEqual([{ op: "remove", path: "" }]);
  });

  it("refers to parts of the new document instead of copying them", () => {
    const after = { a: { b: 1 } };
    expect(diff({}, after)).toEqual([{ op: "add", path: "/a", value: after.a }]);
    expect((diff({}, after)[0] as { value: unknown }).value).toBe(after.a);
  });

  it("does not look into what both share by reference", () => {
    const trap = () => {
      throw new Error("looked");
    };
    const shared = new Proxy({ big: 1 }, { ownKeys: trap, get: trap, getOwnPropertyDescriptor: trap });
    expect(diff({ shared, list: [shared], n: 1 }, { shared, list: [shared], n: 2 })).toEqual([
      { op: "replace", path: "/n", value: 2 },
    ]);
  });

  it("replaces a class instance as a whole, unless it is the same one", () => {
    const when = new Date(0);
    expect(diff({ when }, { when })).toEqual([]);
    expect(diff({ when }, { when: new Date(1) })).toEqual([{ op: "replace", path: "/when", value: new Date(1) }]);
  });

  describe.each(["__proto__", "constructor", "prototype"])("with a member named %s", (name) => {
    const member = (value: unknown) => JSON.parse(JSON.stringify({ x: value }).replace('"x"', JSON.stringify(name)));

    it.each([
      ["changed", member({ n: 1 }), member({ n: 2 })],
      ["added", {}, member(1)],
      ["removed", member(1), {}],
      ["changed far below", member([{ deep: [1] }]), member([{ deep: [2] }])],
    ])("replaces the nearest value that a pointer can name when it was %s", (_, before, after) => {
      expect(patchBetween({ a: [before], b: 1 }, { a: [after], b: 1 })).toEqual([
        { op: "replace", path: "/a/0", value: after },
      ]);
      expect(patchBetween(before, after)).toEqual([{ op: "replace", path: "", value: after }]);
    });

    it("says nothing of it when it is the same", () => {
      const before = { ...member({ n: 1 }), other: 1 };
      const after = { ...member({ n: 1 }), other: 2 };
      expect(patchBetween(before, after)).toEqual([{ op: "replace", path: "/other", value: 2 }]);
    });
  });
});

describe("diff of arrays", () => {
  it("is one add for a prepended item among 1,000", () => {
    const before = { list: items(1_000) };
    const item = { id: -1, text: "new", done: false };
    expect(patchBetween(before, { list: [item, ...items(1_000)] })).toEqual([
      { op: "add", path: "/list/0", value: item },
    ]);
  });

  it("is one remove for an item taken from the middle", () => {
    expect(patchBetween(items(1_000), items(1_000).toSpliced(500, 1))).toEqual([{ op: "remove", path: "/500" }]);
  });

  it("is one small replace for a field of one of 5,000 items", () => {
    const after = items(5_000);
    after[2_500] = { id: 2_500, text: "item 2500", done: true };
    expect(patchBetween(items(5_000), after)).toEqual([{ op: "replace", path: "/2500/done", value: true }]);
  });

  it("is one add for an appended item, naming its index", () => {
    expect(patchBetween({ list: [1, 2] }, { list: [1, 2, 3] })).toEqual([{ op: "add", path: "/list/2", value: 3 }]);
  });

  it("finds the shortest script for small edits in one place, also before a common end", () => {
    const before = { list: ["a", "b", "c", "d", "e", "z"] };
    expect(patchBetween(before, { list: ["a", "x", "c", "e", "f", "z"] })).toEqual([
      { op: "replace", path: "/list/1", value: "x" },
      { op: "remove", path: "/list/3" },
      { op: "add", path: "/list/4", value: "f" },
    ]);
  });

  it("finds a shortest script where scanning would not, however long the common start and end", () => {
    const around = (letters: string) => [...items(500), ...letters, ...items(500, 500)];
    expect(patchBetween(around("acbfe"), around("ebfdc"))).toHaveLength(4);
  });

  it("is one add for each item of a block put into the middle, however long", () => {
    const after = items(1_000).toSpliced(500, 0, ...items(50, 5_000));
    expect(patchBetween(items(1_000), after).map(({ op }) => op)).toEqual(new Array(50).fill("add"));
  });

  it("says what changed inside an item that moved up", () => {
    const before = [...items(3), { id: 9, text: "last", done: false }];
    const after = [...items(1, 1), { id: 2, text: "item 2", done: true }, { id: 9, text: "last", done: true }];
    expect(patchBetween(before, after)).toEqual([
      { op: "remove", path: "/0" },
      { op: "replace", path: "/1/done", value: true },
      { op: "replace", path: "/2/done", value: true },
    ]);
  });

  it("finds scattered removals, insertions and changes in a long array", () => {
    const after = items(1_000).filter(({ id }) => id !== 3 && id !== 4 && id !== 900);
    after.splice(600, 0, { id: -1, text: "new", done: false });
    after[300] = { id: 302, text: "changed", done: false };
    expect(patchBetween(items(1_000), after)).toEqual([
      { op: "remove", path: "/3" },
      { op: "remove", path: "/3" },
      { op: "replace", path: "/300/text", value: "changed" },
      { op: "add", path: "/600", value: { id: -1, text: "new", done: false } },
      { op: "remove", path: "/899" },
    ]);
  });

  it("is one replace for each number that changed in a long array of similar ones", () => {
    const digits = Array.from({ length: 1_000 }, (_, n) => n % 7);
    const after = digits.map((digit, n) => (n % 100 === 0 ? (digit + 2) % 7 : digit));
    expect(patchBetween(digits, after).map(({ op }) => op)).toEqual(new Array(10).fill("replace"));
  });

  it("says undefined elements as null, which JSON would make of them", () => {
    expect(diff([1], [1, undefined])).toEqual([{ op: "add", path: "/1", value: null }]);
    expect(diff([1, 2], [1, undefined])).toEqual([{ op: "replace", path: "/1", value: null }]);
    expect(patchBetween([], new Array(3))).toHaveLength(3);
  });

  it("replaces the array when the operations would take more room than it does", () => {
    const shuffled = items(2_000).sort((a, b) => ((a.id * 7_919) % 2_003) - ((b.id * 7_919) % 2_003));
    expect(patchBetween({ list: items(2_000), n: 1 }, { list: shuffled, n: 1 })).toEqual([
      { op: "replace", path: "/list", value: shuffled },
    ]);
  });

  it("keeps the small operations beside a part that is replaced", () => {
    const side = (done: boolean) => items(200).map((item) => ({ ...item, text: "x".repeat(500), done }));
    const shuffled = items(2_000).sort((a, b) => ((a.id * 7_919) % 2_003) - ((b.id * 7_919) % 2_003));
    const patch = patchBetween({ list: items(2_000), side: side(false) }, { list: shuffled, side: side(true) });
    expect(patch).toHaveLength(201);
  });

  it("keeps many small operations where they take less room than the value", () => {
    const long = (done: boolean) => items(200).map((item) => ({ ...item, text: "x".repeat(500), done }));
    expect(patchBetween(long(false), long(true))).toHaveLength(200);
  });
});

describe("the bounds of diff", () => {
  it("are kept by long arrays that share nothing", () => {
    expect(patchBetween(items(5_000), items(5_000, 10_000))).toHaveLength(1);
  });

  it("limit the number of operations: a part that needs more is replaced as a whole", () => {
    const wide = (value: string) =>
      Object.fromEntries(items(MAX_OPERATIONS + 1).map(({ id }) => [id, { v: value, w: "x".repeat(200) }]));
    const before = { wide: wide("a"), n: 1 };
    expect(patchBetween(before, { wide: wide("b"), n: 2 }).map(({ op, path }) => `${op} ${path}`)).toEqual([
      "replace /wide",
      "replace /n",
    ]);
  });

  it("limit the depth: below it, what differs is replaced as a whole", () => {
    const at = (leaf: number) => {
      let value: unknown = { leaf, other: 1 };
      for (let level = 0; level < 100; level++) value = { a: value };
      return value;
    };
    const patch = patchBetween(at(1), at(2));
    expect(patch).toHaveLength(1);
    expect(patch[0]).toMatchObject({ op: "replace", path: "/a".repeat(32) });
    expect(diff(at(1), at(1))).toEqual([]);
  });
});
