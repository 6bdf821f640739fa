import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { freezeChanged, freezeJson, importChanged, importJson } from "./import-json.ts";

describe("importJson", () => {
  it("copies and freezes, so that nobody changes a state behind the runtime's back", () => {
    const source = { list: [{ a: 1 }], skipped: undefined };
    const imported = importJson(source);
    source.list.push({ a: 2 });
    expect(imported).toEqual({ list: [{ a: 1 }] });
    expect(Object.hasOwn(imported, "skipped")).toBe(false);
    expect(() => (imported.list[0] as { a: number }).a++).toThrow(TypeError);
    expect(Object.isFrozen(source)).toBe(false);
  });

  it("does not trust a value that somebody else froze on the surface", () => {
    const shallow = Object.freeze({ inner: { a: 1 } });
    const imported = importJson(shallow);
    shallow.inner.a = 2;
    expect(imported.inner.a).toBe(1);
  });

  it("takes plain objects of another realm, as patches and hashes do", () => {
    expect(importJson(runInNewContext("({ a: [1] })"))).toEqual({ a: [1] });
  });

  it("keeps a member named __proto__ as data", () => {
    const imported = importJson(JSON.parse('{"__proto__":{"admin":true}}')) as { admin?: unknown };
    expect(imported.admin).toBeUndefined();
    expect(JSON.stringify(imported)).toBe('{"__proto__":{"admin":true}}');
  });

  const deep = () => {
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level++) value = [value];
    return value;
  };
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;

  it.each([
    [Number.NaN, "is NaN"],
    [Number.POSITIVE_INFINITY, "is Infinity"],
    [() => 1, "is of type function"],
    [10n, "is of type bigint"],
    [new Date(0), "is of class Date"],
    [new Map(), "is of class Map"],
    [[undefined], "is of type undefined"],
    ["a\ud800b", "has a lone surrogate"],
    [deep(), "nested deeper than"],
    [cyclic, "or contains itself"],
  ])("refuses what JSON cannot hold, naming its path: case %#", (value, message) => {
    expect(() => importJson({ at: value }, "/custom")).toThrow(
      expect.objectContaining({
        status: "INVALID_ARGUMENT",
        message: expect.stringMatching(`"/custom/at.* ${message}`),
      }),
    );
  });
});

describe("freezeJson", () => {
  it("freezes in place", () => {
    const value = { a: [1] };
    expect(freezeJson(value)).toBe(value);
    expect(Object.isFrozen(value.a)).toBe(true);
  });
});

describe("importChanged and freezeChanged", () => {
  it("share what they have frozen before, so that a change costs what is new", () => {
    const before = importChanged({ kept: { a: 1 }, changed: 1 });
    expect(importChanged({ ...before, changed: 2 }).kept).toBe(before.kept);
    const next = { ...before, changed: 3, added: { b: 1 } };
    expect(freezeChanged(next).kept).toBe(before.kept);
    expect(Object.isFrozen(next.added)).toBe(true);
  });

  it("do not trust a value that somebody else froze on the surface", () => {
    const shallow = Object.freeze({ inner: { a: 1 } });
    expect(importChanged({ shallow }).shallow).not.toBe(shallow);
    freezeChanged({ shallow });
    expect(() => shallow.inner.a++).toThrow(TypeError);
  });
});
