import { describe, expect, it } from "vitest";
import { AgentError } from "../error/index.ts";
import { applyPatch } from "./apply-patch.ts";
import type { PatchOperation } from "./patch-operation.ts";

/** Patches as a peer may send them: the types say no, JSON does not. */
function apply(document: unknown, ...patch: unknown[]): unknown {
  return applyPatch(freeze(document), freeze(patch) as PatchOperation[]);
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

function errorOf(run: () => unknown): AgentError {
  try {
    run();
  } catch (error) {
    if (AgentError.is(error)) return error;
    throw error;
  }
  throw new Error("It did not throw.");
}

describe("applyPatch", () => {
  it("copies the containers on the touched path and shares everything else", () => {
    const before = { messages: [{ text: "a" }, { text: "b" }], custom: { deep: { n: 1 } }, artifacts: [] };
    const after = apply(before, { op: "add", path: "/messages/-", value: { text: "c" } }) as typeof before;
    expect(after.messages).toEqual([{ text: "a" }, { text: "b" }, { text: "c" }]);
    expect(after).not.toBe(before);
    expect(after.messages[0]).toBe(before.messages[0]);
    expect(after.custom).toBe(before.custom);
    expect(after.artifacts).toBe(before.artifacts);
  });

  it("returns the document itself when nothing was asked for", () => {
    const document = { a: 1 };
    expect(apply(document)).toBe(document);
    expect(apply(document, { op: "test", path: "/a", value: 1 })).toBe(document);
  });

  it("does not change a value of the patch that a later operation writes into", () => {
    const value = { list: [1] };
    const patch = [
      { op: "add", path: "/a", value },
      { op: "add", path: "/a/list/-", value: 2 },
    ];
    expect(apply({}, ...patch)).toEqual({ a: { list: [1, 2] } });
    expect(value).toEqual({ list: [1] });
  });

  it("keeps a copy and its original apart, also when both were written before", () => {
    expect(
      apply(
        { a: { n: [1] } },
        { op: "add", path: "/a/n/-", value: 2 },
        { op: "copy", from: "/a", path: "/b" },
        { op: "add", path: "/b/n/-", value: 3 },
        { op: "add", path: "/a/n/-", value: 4 },
      ),
    ).toEqual({ a: { n: [1, 2, 4] }, b: { n: [1, 2, 3] } });
  });

  it("keeps apart two places that held the same value from the start", () => {
    const list = [1];
    const writes = ["/a/-", "/b/-"].map((path, n) => ({ op: "add", path, value: n }));
    expect(apply({ a: list, b: list }, ...writes)).toEqual({ a: [1, 0], b: [1, 1] });
    const adds = ["/a", "/b"].map((path) => ({ op: "add", path, value: list }));
    expect(apply({}, ...adds, ...writes)).toEqual({ a: [1, 0], b: [1, 1] });
  });

  it("does not change what it moved, in the old document", () => {
    const before = { a: { n: [1] } };
    expect(apply(before, { op: "move", from: "/a", path: "/b" }, { op: "add", path: "/b/n/-", value: 2 })).toEqual({
      b: { n: [1, 2] },
    });
    expect(before).toEqual({ a: { n: [1] } });
  });

  it("keeps a replaced member's place among its siblings", () => {
    const after = apply({ a: 1, b: 2, c: 3 }, { op: "replace", path: "/b", value: 0 });
    expect(Object.keys(after as object)).toEqual(["a", "b", "c"]);
  });

  it("takes undefined for an absent document, which removing the root makes and setting it ends", () => {
    expect(apply({ a: 1 }, { op: "remove", path: "" })).toBeUndefined();
    expect(apply(undefined, { op: "add", path: "", value: { a: 1 } })).toEqual({ a: 1 });
    expect(apply(undefined, { op: "replace", path: "", value: [] })).toEqual([]);
    expect(apply({ a: { b: 1 } }, { op: "move", from: "/a", path: "" })).toEqual({ b: 1 });
    expect(apply([1], { op: "copy", from: "", path: "/0" })).toEqual([[1], 1]);
  });

  it("tests for the same JSON, whatever the order of members", () => {
    const document = { a: { x: 1, y: [0, null] } };
    expect(apply(document, { op: "test", path: "/a", value: { y: [-0, null], x: 1 } })).toBe(document);
  });

  it("takes undefined members as absent and undefined elements as null", () => {
    expect(apply([undefined], { op: "test", path: "/0", value: null })).toEqual([undefined]);
    expect(() => apply({ a: undefined }, { op: "replace", path: "/a", value: 1 })).toThrow('has no member "a"');
  });

  it("keeps own members named __proto__ that it copies along", () => {
    const before = JSON.parse('{"__proto__":{"x":1},"a":1}');
    const after = apply(before, { op: "replace", path: "/a", value: 2 });
    expect(JSON.stringify(after)).toBe('{"__proto__":{"x":1},"a":2}');
  });

  it("defines members whose names objects inherit, and does not see the inherited ones", () => {
    const after = apply(
      {},
      { op: "add", path: "/toString", value: 1 },
      { op: "add", path: "/hasOwnProperty", value: 2 },
    );
    expect(Object.entries(after as object)).toEqual([
      ["toString", 1],
      ["hasOwnProperty", 2],
    ]);
    expect(() => apply({}, { op: "copy", from: "/toString", path: "/a" })).toThrow('has no member "toString"');
    expect(() => apply({}, { op: "remove", path: "/valueOf" })).toThrow('has no member "valueOf"');
    expect(() => apply([], { op: "copy", from: "/length", path: "/0" })).toThrow('"length" is not an index');
  });

  it.each([
    ["a patch that is not an operation", null, "an operation must be an object"],
    ["an unknown operation", { op: "spam", path: "/a" }, '"op" must be one of add, remove'],
    ["an operation named like an inherited member", { op: "constructor", path: "/a" }, '"op" must be one of'],
    ["a missing op", { path: "/a" }, '"op" must be one of'],
    ["a missing path", { op: "add", value: 1 }, '"path" is missing'],
    ["a path that is not a string", { op: "remove", path: ["a"] }, '"path" is missing or not a string'],
    ["a missing value", { op: "add", path: "/a" }, '"value" is missing'],
    ["a value that JSON would drop", { op: "replace", path: "/a", value: undefined }, '"value" is missing'],
    ["a missing from", { op: "move", path: "/a" }, '"from" is missing'],
    ["a bad escape", { op: "remove", path: "/a~2" }, "is not a JSON pointer"],
    ["a path through __proto__", { op: "add", path: "/__proto__/x", value: 1 }, 'passes through "__proto__"'],
    ["a path to constructor", { op: "add", path: "/constructor", value: 1 }, 'passes through "constructor"'],
    ["a from through prototype", { op: "copy", from: "/prototype", path: "/x" }, 'passes through "prototype"'],
    ["a missing member", { op: "remove", path: "/nope" }, '"" has no member "nope"'],
    ["a missing parent", { op: "add", path: "/x/y", value: 1 }, '"" has no member "x"'],
    ["a look into a number", { op: "add", path: "/a/b", value: 1 }, '"/a" is neither an object nor an array'],
    ["an index beyond the end", { op: "add", path: "/list/3", value: 1 }, 'index 3 is beyond the end of array "/list"'],
    ["an index at the end to replace", { op: "replace", path: "/list/2", value: 1 }, "index 2 is beyond the end"],
    ["an index with a leading zero", { op: "remove", path: "/list/01" }, '"01" is not an index'],
    ["an index with a sign", { op: "remove", path: "/list/-1" }, '"-1" is not an index'],
    ["a name in an array", { op: "add", path: "/list/x", value: 1 }, '"x" is not an index'],
    ["no name in an array", { op: "add", path: "/list/", value: 1 }, '"" is not an index'],
    ["the end, where there is nothing to remove", { op: "remove", path: "/list/-" }, '"-" names the place after'],
    ["a way through the end", { op: "add", path: "/list/-/x", value: 1 }, '"-" names the place after'],
    ["a move into itself", { op: "move", from: "/o", path: "/o/p" }, '"/o" cannot be moved into itself'],
    ["a move of the root", { op: "move", from: "", path: "/o" }, '"" cannot be moved into itself'],
    ["a failed test", { op: "test", path: "/a", value: "1" }, "the value there is a different one"],
    ["a way into a class instance", { op: "add", path: "/date/x", value: 1 }, "is neither an object nor an array"],
  ])("refuses %s, and changes nothing", (_, operation, reason) => {
    const document = { a: 1, list: [1, 2], o: {}, date: new Date(0) };
    const error = errorOf(() => apply(document, { op: "replace", path: "/a", value: 1 }, operation));
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(reason);
    expect(error.message).toMatch(/^Operation 1 \(/);
    expect(document).toEqual({ a: 1, list: [1, 2], o: {}, date: new Date(0) });
  });

  it("says which operation failed, in words and as details", () => {
    const error = errorOf(() => apply({ a: {} }, { op: "remove", path: "/a/b" }));
    expect(error.message).toBe('Operation 0 (remove "/a/b") cannot be applied: "/a" has no member "b".');
    expect(error.details).toEqual({ index: 0, op: "remove", path: "/a/b" });
  });

  it("does not let a pointer of megabytes into messages and details", () => {
    const error = errorOf(() => apply({}, { op: "remove", path: `/${"x".repeat(1_000_000)}` }));
    expect(error.message.length + JSON.stringify(error.details).length).toBeLessThan(1_000);
  });

  it("refuses what is not a list of operations", () => {
    expect(() => applyPatch({}, { op: "add" } as never)).toThrow("must be an array");
  });

  it("moves a location onto itself without a change, if it exists", () => {
    expect(apply({ a: [1, 2] }, { op: "move", from: "/a/0", path: "/a/0" })).toEqual({ a: [1, 2] });
    expect(() => apply({ a: [] }, { op: "move", from: "/a/0", path: "/a/0" })).toThrow("beyond the end");
  });

  it("refuses copies that double the document again and again", () => {
    const doubling = Array.from({ length: 40 }, (_, n) => ({ op: "copy", from: "", path: `/${n}` }));
    const error = errorOf(() => apply({ text: "x".repeat(100) }, ...doubling));
    expect(error.message).toContain("copies more than 16000000 characters");
  });

  it("leaves Object.prototype alone", () => {
    expect(() => apply({}, { op: "add", path: "/__proto__/polluted", value: true })).toThrow();
    expect(() => apply({}, { op: "add", path: "/constructor/prototype/polluted", value: true })).toThrow();
    apply({}, { op: "add", path: "", value: JSON.parse('{"__proto__":{"polluted":true}}') });
    expect("polluted" in {}).toBe(false);
  });
});
