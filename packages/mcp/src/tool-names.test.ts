import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPrefix, nameTools } from "./tool-names.ts";

const named = (names: readonly string[], prefix = "") => Object.fromEntries(nameTools(names, prefix));

describe("the name of a tool", () => {
  it("stays as it is, behind the prefix", () => {
    expect(named(["read_file", "a.b-C9"], "fs_")).toEqual({ read_file: "fs_read_file", "a.b-C9": "fs_a.b-C9" });
  });

  it("has no character that a provider refuses", () => {
    expect(named(["read file", "files/read", "größe", "", "😀"])).toEqual({
      "read file": "read_file",
      "files/read": "files_read",
      größe: "gr__e",
      "": "tool",
      "😀": "_",
    });
  });

  it("ends in a hash of the server's name where two would be the same, except for the one that needed no change", () => {
    expect(named(["a/b", "a_b", "a b"])).toEqual({
      "a/b": expect.stringMatching(/^a_b_[0-9a-f]{8}$/),
      a_b: "a_b",
      "a b": expect.stringMatching(/^a_b_[0-9a-f]{8}$/),
    });
  });

  it("is cut at 128 characters, and still another one for each tool", () => {
    const long = "x".repeat(200);
    const names = named([long, `${long}y`], "p_");
    expect(new Set(Object.values(names)).size).toBe(2);
    for (const name of Object.values(names)) expect(name).toHaveLength(128);
  });

  it("is legal, unique, and independent of the order of the list, whatever the server calls its tools", () => {
    const name = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom("a", "_", "/", " ") }));
    void fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), fc.constantFrom("", "p_"), (names, prefix) => {
        const forward = nameTools(names, prefix);
        const given = [...forward.values()];
        expect(new Set(given).size).toBe(names.length);
        for (const one of given) expect(one).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
        const backward = nameTools([...names].reverse(), prefix);
        for (const one of names) expect(backward.get(one)).toBe(forward.get(one));
      }),
    );
  });

  it.each(["a b", "ü", "x".repeat(65)])("has no prefix like %j", (prefix) => {
    expect(() => checkPrefix(prefix)).toThrow(/prefix/);
  });
});
