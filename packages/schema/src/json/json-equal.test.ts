import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { jsonEqual } from "./json-equal.ts";
import type { PointerToken } from "./pointer.ts";

describe("jsonEqual", () => {
  it.each([
    ["members in any order", { a: 1, b: [2] }, { b: [2], a: 1 }],
    ["undefined members as absent ones", { a: 1, b: undefined }, { a: 1, c: undefined }],
    ["undefined elements as null", [undefined, 1], [null, 1]],
    ["0 and -0", [0], [-0]],
    ["NaN and itself", Number.NaN, Number.NaN],
    ["objects without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["objects of another realm", runInNewContext("({ a: [1] })"), { a: [1] }],
    ["own members named __proto__", JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
  ])("takes %s as the same", (_, a, b) => {
    expect(jsonEqual(a, b)).toBe(true);
    expect(jsonEqual(b, a)).toBe(true);
  });

  it.each([
    ["numbers and strings", 1, "1"],
    ["null and absent", { a: null }, {}],
    ["null and an object", null, {}],
    ["an array and an object", [], {}],
    ["arrays of different length", [1], [1, 1]],
    ["an element that differs", [1, { a: [1] }], [1, { a: [2] }]],
    ["a member more", { a: 1 }, { a: 1, b: 2 }],
    ["as many members with other names", { a: 1 }, { b: 1 }],
    ["an own __proto__ and the inherited one", JSON.parse('{"__proto__":{}}'), {}],
    ["an own member and an inherited one", { toString: 1 }, {}],
    ["two Dates, which JSON does not have", new Date(0), new Date(0)],
    ["two Maps", new Map([[1, 2]]), new Map([[1, 2]])],
    [
      "a class instance and its members",
      new (class Point {
        x = 1;
      })(),
      { x: 1 },
    ],
  ])("tells apart %s", (_, a, b) => {
    expect(jsonEqual(a, b)).toBe(false);
    expect(jsonEqual(b, a)).toBe(false);
  });

  it("leaves the path as it was, whatever the answer", () => {
    const path: PointerToken[] = ["state"];
    jsonEqual({ a: [1, { b: 1 }] }, { a: [1, { b: 2 }] }, path);
    jsonEqual({ a: [1, { b: 1 }] }, { a: [1, { b: 1 }] }, path);
    expect(path).toEqual(["state"]);
  });
});
