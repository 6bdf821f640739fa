import { describe, expect, it } from "vitest";
import { mismatches, mismatchesOfAll, mismatchesOfError } from "./match.ts";

describe("what was expected", () => {
  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: { b: [] } }, { a: { b: [1, 2] } }],
    [
      [1, 3],
      [1, 2, 3],
    ],
    [
      [{ role: "user" }, { role: "model" }],
      [{ role: "user", n: 1 }, { role: "tool" }, { role: "model" }],
    ],
    ["text", "text"],
    [null, null],
    [{}, { a: 1 }],
  ])("matches partly, arrays as ordered subsequences: %j in %j", (expected, actual) => {
    expect(mismatches("x", expected, actual)).toEqual([]);
  });

  it.each([
    [{ a: 1 }, { a: 2 }, "x/a"],
    [{ a: { b: 1 } }, { a: 1 }, "x/a"],
    [{ a: 1 }, [1], "x"],
    [{ a: 1 }, undefined, "x"],
    [{ a: null }, {}, "x/a"],
    [[1, 3], [3, 1], "x/1"],
    [[1, 1], [1], "x/1"],
    [[1], { 0: 1 }, "x"],
    [{ "a/b": 1 }, {}, "x/a~1b"],
    ["text", "Text", "x"],
  ])("names the place where it is not there: %j in %j", (expected, actual, at) => {
    expect(mismatches("x", expected, actual)).toMatchObject([{ at }]);
  });

  it("is matched one by one, in number and order, where all of it counts", () => {
    expect(mismatchesOfAll("chunks", [{ a: 1 }, {}], [{ a: 1, b: 1 }, { c: 1 }])).toEqual([]);
    expect(mismatchesOfAll("chunks", [{ a: 1 }], [{ a: 1 }, { b: 1 }])).toMatchObject([{ at: "chunks" }]);
    expect(mismatchesOfAll("chunks", [{ a: 1 }, { b: 1 }], [{ b: 1 }, { a: 1 }])).toMatchObject([
      { at: "chunks/0/a" },
      { at: "chunks/1/b" },
    ]);
  });

  it("of an error is its status and a part of its message", () => {
    const error = { status: "NOT_FOUND", message: "Session s is not there." };
    expect(mismatchesOfError("e", { status: "NOT_FOUND", message: "not there" }, error)).toEqual([]);
    expect(mismatchesOfError("e", { message: "gone" }, error)).toMatchObject([{ at: "e/message" }]);
    expect(mismatchesOfError("e", { status: "ABORTED" }, undefined)).toHaveLength(1);
    expect(mismatchesOfError("e", undefined, error)).toEqual([]);
  });
});
