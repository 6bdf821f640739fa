import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentError } from "../error/index.ts";
import { formatPointer, isRefusedToken, MAX_DEPTH, parsePointer, quoted } from "./pointer.ts";

describe("parsePointer", () => {
  // RFC 6901, section 5.
  it.each([
    ["", []],
    ["/foo", ["foo"]],
    ["/foo/0", ["foo", "0"]],
    ["/", [""]],
    ["/a~1b", ["a/b"]],
    ["/c%d", ["c%d"]],
    ['/k"l', ['k"l']],
    ["/ ", [" "]],
    ["/m~0n", ["m~n"]],
    ["/~01", ["~1"]],
    ["//", ["", ""]],
  ])("reads %j as %j", (pointer, tokens) => {
    expect(parsePointer(pointer)).toEqual(tokens);
  });

  it.each([
    ["what does not start with a slash", "foo", 'must be empty or start with "/"'],
    ["a tilde at the end", "/a~", '"~" must be written "~0"'],
    ["an unknown escape", "/a~2b", '"~" must be written "~0"'],
    ["a way through __proto__", "/__proto__/polluted", 'passes through "__proto__"'],
    ["a way to constructor", "/a/constructor", 'passes through "constructor"'],
    ["a way to prototype", "/prototype", 'passes through "prototype"'],
    [
      "more tokens than documents may have levels",
      "/a".repeat(MAX_DEPTH + 1),
      "has 1001 tokens, more than the limit of 1000",
    ],
  ])("refuses %s", (_, pointer, reason) => {
    expect(() => parsePointer(pointer)).toThrow(reason);
    expect(() => parsePointer(pointer)).toThrow(AgentError);
  });

  it("takes as many tokens as documents may have levels", () => {
    expect(parsePointer("/a".repeat(MAX_DEPTH))).toHaveLength(MAX_DEPTH);
  });
});

describe("formatPointer", () => {
  it("writes what parsePointer reads back", () => {
    const token = fc
      .oneof(fc.string({ unit: "binary", maxLength: 5 }), fc.constantFrom("", "~", "/", "~1", "~0~1/"))
      .filter((name) => !isRefusedToken(name));
    fc.assert(
      fc.property(fc.array(token, { maxLength: 5 }), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
      { numRuns: 500 },
    );
  });

  it("writes array indices as decimal digits", () => {
    expect(formatPointer(["items", 12, "a/b"])).toBe("/items/12/a~1b");
  });
});

describe("quoted", () => {
  it("shortens what a peer may have made long, and escapes what a log could take for its own", () => {
    expect(quoted("/a\nb")).toBe('"/a\\nb"');
    expect(quoted("/x".repeat(5_000)).length).toBeLessThan(130);
    expect(quoted(["x".repeat(5_000), 1])).toMatch(/…"$/);
  });
});
