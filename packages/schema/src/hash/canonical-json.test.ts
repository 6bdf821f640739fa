import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentError } from "../error/index.ts";
import { MAX_DEPTH } from "../json/index.ts";
import { canonicalJson } from "./canonical-json.ts";

/** The number that RFC 8785, appendix B gives by its IEEE 754 bits. */
function ieee(bits: string): number {
  return Buffer.from(bits, "hex").readDoubleBE();
}

describe("canonicalJson", () => {
  it("writes the example of RFC 8785, section 3.2.2", () => {
    const value = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("sorts members by UTF-16 code units, as in the example of RFC 8785, section 3.2.3", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect([...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map(([, name]) => name)).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the number %s of RFC 8785, appendix B, as %s", (bits, text) => {
    expect(canonicalJson(ieee(bits))).toBe(text);
  });

  it("leaves out undefined members, and takes objects without a prototype or of another realm", () => {
    expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}');
    expect(canonicalJson({ a: undefined })).toBe("{}");
    expect(canonicalJson(Object.assign(Object.create(null), { a: [] }))).toBe('{"a":[]}');
    expect(canonicalJson(runInNewContext("({ a: [] })"))).toBe('{"a":[]}');
  });

  it("takes members named __proto__ and toJSON that are data", () => {
    expect(canonicalJson(JSON.parse('{"toJSON":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"toJSON":1}');
  });

  it("is JSON of the same value, and the same text for any order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const read = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(read))).toEqual(read);
        expect(canonicalJson(reversed(read))).toBe(canonicalJson(read));
      }),
      { numRuns: 500 },
    );
  });

  class Point {
    x = 1;
  }
  it.each<[string, unknown, string, string]>([
    ["NaN", { a: [Number.NaN] }, "/a/0", "use null or a string"],
    ["Infinity", { a: Number.POSITIVE_INFINITY }, "/a", "use null or a string"],
    ["a bigint", { a: 1n }, "/a", "use a string"],
    ["a function", { a: { "b/c": () => 1 } }, "/a/b~1c", "leave it out"],
    ["a symbol", [Symbol("s")], "/0", "leave it out"],
    ["undefined as the value", undefined, "", "use null"],
    ["an undefined element", [1, undefined], "/1", "use null"],
    ["a hole in an array", { a: new Array(1) }, "/a/0", "use null"],
    ["a lone surrogate", { text: "a\ud800b" }, "/text", "repair it with toWellFormed()"],
    ["a lone surrogate in a name", { "\udc00": 1 }, "/\udc00", "repair it with toWellFormed()"],
    ["a Date", { when: new Date(0) }, "/when", "is of class Date and has toJSON; keep what toJSON returns"],
    ["an object that has toJSON", [{ toJSON: () => 1 }], "/0", "keep what toJSON returns"],
    ["an array that has toJSON", Object.assign([1], { toJSON: () => 1 }), "", "keep what toJSON returns"],
    ["a Map", { m: new Map() }, "/m", "is of class Map; use plain objects and arrays"],
    ["a Set", { s: new Set() }, "/s", "is of class Set; use plain objects and arrays"],
    ["a class instance", [[new Point()]], "/0/0", "is of class Point; use plain objects and arrays"],
    ["a boxed number", { n: Object(1) }, "/n", "is of class Number; use plain objects and arrays"],
  ])("refuses %s, saying where it is and what to do", (_, value, path, remedy) => {
    const error = refusal(value);
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(`The value at ${JSON.stringify(path)} `);
    expect(error.message).toContain(remedy);
    expect(error.details).toEqual({ path });
  });

  it.each<[string, (inner: unknown) => unknown]>([
    ["objects", (inner) => ({ a: inner })],
    ["arrays", (inner) => [inner]],
  ])("refuses %s that nest too deep or without end, and no others", (_, nest) => {
    let value: unknown = 1;
    for (let level = 0; level < MAX_DEPTH; level++) value = nest(value);
    expect(canonicalJson(value)).toHaveLength(JSON.stringify(value).length);
    expect(refusal(nest(value)).message).toContain(`deeper than the limit of ${MAX_DEPTH} levels`);
    for (let level = 0; level < 100_000; level++) value = nest(value);
    const error = refusal(value);
    expect(error.message).toContain(`deeper than the limit of ${MAX_DEPTH} levels`);
    expect(error.message.length).toBeLessThan(400);
    const cycle: { self?: unknown } = {};
    cycle.self = nest(cycle);
    expect(refusal(cycle).message).toContain("or contains itself");
  });

  it("starts paths with where the value is said to be", () => {
    expect(() => canonicalJson({ a: 1n }, "/custom")).toThrow('The value at "/custom/a"');
  });
});

function refusal(value: unknown): AgentError {
  try {
    canonicalJson(value);
  } catch (error) {
    if (AgentError.is(error)) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, member]) => [name, reversed(member)]));
}
