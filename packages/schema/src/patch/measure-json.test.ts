import { describe, expect, it } from "vitest";
import { measureJson } from "./measure-json.ts";

describe("measureJson", () => {
  it.each([
    ["a list of objects", Array.from({ length: 100 }, (_, id) => ({ id, text: `item ${id}`, done: false }))],
    ["long text", { text: "x".repeat(10_000), n: [1, 2, 3] }],
    ["a record", Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`name-${n}`, null]))],
  ])("is within a fifth of the length of the JSON text, for %s", (_, value) => {
    const { length } = JSON.stringify(value);
    expect(Math.abs(measureJson(value, []) - length)).toBeLessThan(length / 5);
  });

  it("looks no further than it has to", () => {
    const unread = {
      enumerable: true,
      get: () => {
        throw new Error("read");
      },
    };
    const array = Object.defineProperty(["x".repeat(100), 1], 1, unread);
    const object = Object.defineProperty({ a: "x".repeat(100), b: 1 }, "b", unread);
    expect(measureJson(array, [], 50)).toBeGreaterThan(50);
    expect(measureJson(object, [], 50)).toBeGreaterThan(50);
    expect(() => measureJson(array, [])).toThrow("read");
    expect(() => measureJson(object, [])).toThrow("read");
  });
});
