import { describe, expect, it } from "vitest";
import { AgentError } from "../error/index.ts";
import { jsonEqual, MAX_DEPTH } from "../json/index.ts";
import { applyPatch } from "./apply-patch.ts";
import { diff } from "./diff.ts";

type Nest = (inner: unknown) => unknown;

function nested(levels: number, nest: Nest): unknown {
  let value: unknown = "leaf";
  for (let level = 0; level < levels; level++) value = nest(value);
  return value;
}

function cyclic(): unknown {
  const value: Record<string, unknown> = {};
  value.a = { back: value, list: [value] };
  return value;
}

const NESTS: [string, Nest][] = [
  ["objects", (inner) => ({ a: inner })],
  ["arrays", (inner) => [inner]],
  ["objects in arrays", (inner) => [1, { a: inner, b: 2 }]],
];

const ENTRIES: [string, (value: unknown, other: unknown) => unknown][] = [
  ["an add of it", (value) => applyPatch({}, [{ op: "add", path: "/x", value }])],
  ["a replace by it", (value) => applyPatch({}, [{ op: "replace", path: "", value }])],
  ["a test for it", (value, other) => applyPatch(other, [{ op: "test", path: "", value }])],
  ["a copy of it", (value) => applyPatch({ x: value }, [{ op: "copy", from: "/x", path: "/y" }])],
  [
    "a move of it to a deeper place",
    (value) => applyPatch({ x: value, y: {} }, [{ op: "move", from: "/x", path: "/y/z" }]),
  ],
  ["a diff that adds it", (value) => diff({}, { x: value })],
  ["a diff that appends it", (value) => diff([], [value])],
  ["a diff that makes it the document", (value) => diff(undefined, value)],
  ["a diff from a number to it", (value) => diff(1, value)],
  ["a diff between two of it", (value, other) => diff(value, other)],
  ["a diff between two of it, in arrays", (value, other) => diff([0, value, 1], [2, other, 3, 4])],
  [
    "a diff between two of it, below a name that pointers refuse",
    (value, other) => diff({ constructor: value }, { constructor: other }),
  ],
  ["a comparison of two of it", (value, other) => jsonEqual(value, other)],
];

describe.each(ENTRIES)("nesting in %s", (_, run) => {
  it.each(NESTS)("beyond the limit is refused with the limit and a short path: %s", (_name, nest) => {
    const error = refusal(() => run(nested(100_000, nest), nested(100_000, nest)));
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(`deeper than the limit of ${MAX_DEPTH} levels`);
    expect(error.message.length).toBeLessThan(400);
  });

  it("without an end is refused in the same way", () => {
    expect(refusal(() => run(cyclic(), cyclic())).message).toContain("or contains itself");
  });

  it("within the limit is no trouble", () => {
    const levels = MAX_DEPTH - 3;
    run(
      nested(levels, (inner) => ({ a: inner })),
      nested(levels, (inner) => ({ a: inner })),
    );
  });
});

describe("the limit on nesting", () => {
  it("counts from the root of the document, so patches cannot add up to more", () => {
    const path = "/a".repeat(MAX_DEPTH / 2);
    const document = nested(MAX_DEPTH / 2 + 1, (inner) => ({ a: inner }));
    const fits = nested(MAX_DEPTH / 2, (inner) => [inner]);
    applyPatch(document, [{ op: "add", path, value: fits }]);
    expect(() => applyPatch(document, [{ op: "add", path, value: [fits] }])).toThrow("deeper than the limit");
  });

  it("does not concern parts of the document that no operation touches", () => {
    const deep = nested(100_000, (inner) => ({ a: inner }));
    expect(applyPatch({ deep, n: 1 }, [{ op: "replace", path: "/n", value: 2 }])).toMatchObject({ n: 2 });
    expect(diff({ deep, n: 1 }, { deep, n: 2 })).toEqual([{ op: "replace", path: "/n", value: 2 }]);
    expect(diff({ deep }, {})).toEqual([{ op: "remove", path: "/deep" }]);
    expect(applyPatch({ deep }, [{ op: "remove", path: "/deep/a/a" }])).toEqual({ deep: { a: {} } });
  });

  it("ends pointers too", () => {
    const deep = nested(100_000, (inner) => ({ a: inner }));
    const path = "/a".repeat(100_000);
    expect(() => applyPatch(deep, [{ op: "remove", path }])).toThrow("has 100000 tokens, more than the limit of 1000");
  });
});

function refusal(run: () => unknown): AgentError {
  try {
    run();
  } catch (error) {
    if (AgentError.is(error)) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}
