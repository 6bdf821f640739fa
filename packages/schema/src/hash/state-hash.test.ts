import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_MESSAGES, extendMessages, stateHash } from "./state-hash.ts";

/** SHA-256 over the concatenation of texts (as UTF-8) and raw digests. */
function sha256(...parts: (string | Buffer)[]): Buffer {
  return createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    .digest();
}

const json = fc.jsonValue({ maxDepth: 3 });
const state = fc.record({
  messages: fc.array(json, { maxLength: 6 }),
  custom: fc.option(json, { nil: undefined }),
  artifacts: fc.array(json, { maxLength: 3 }),
});

describe("stateHash", () => {
  it("is what its definition gives, step by step", () => {
    const m0 = sha256("agents.messages/1");
    const m1 = sha256(m0, sha256('{"content":[{"text":"Grüße 😀"}],"role":"user"}'));
    const m2 = sha256(m1, sha256('{"content":[],"role":"model"}'));
    const c = sha256('{"a":null,"b":0.002}');
    const a = sha256(Buffer.concat([sha256('{"name":"x"}'), sha256('{"name":"y"}')]));
    const expected = sha256("agents.state/1", m2, c, a).toString("hex");
    expect(
      stateHash({
        messages: [
          { role: "user", content: [{ text: "Grüße 😀" }] },
          { role: "model", content: [] },
        ],
        custom: { b: 2e-3, a: null },
        artifacts: [{ name: "x" }, { name: "y" }],
      }),
    ).toBe(expected);
  });

  it("stays the same from release to release", () => {
    expect(stateHash({ messages: [], artifacts: [] })).toBe(
      sha256("agents.state/1", sha256("agents.messages/1"), sha256(""), sha256("")).toString("hex"),
    );
    expect(EMPTY_MESSAGES).toBe("834002cb2973bc4ea26bba200a93a5ff68e59034e8a650d233540d00f0abe81e");
    expect(stateHash({ messages: [], artifacts: [] })).toBe(
      "b8da48455426699460597094099da3d1e89fb017504f0bbea9a308719b0586ab",
    );
    expect(stateHash({ messages: [{ role: "user" }], custom: { n: 1 }, artifacts: [{}] })).toBe(
      "1af2282912f8a8cb0a9a747dcd0e6a520938ff2fe7a13ab67dda66844c844f59",
    );
  });

  it("does not depend on the order of members", () => {
    fc.assert(
      fc.property(state, (value) => {
        expect(stateHash(shuffled(value))).toBe(stateHash(value));
      }),
      { numRuns: 500 },
    );
  });

  it("is the same when the messages' digest was extended turn by turn", () => {
    fc.assert(
      fc.property(state, fc.nat({ max: 6 }), ({ messages, custom, artifacts }, turn) => {
        const first = extendMessages(EMPTY_MESSAGES, messages.slice(0, turn));
        const digest = extendMessages(first, messages.slice(turn));
        expect(stateHash({ messages: digest, custom, artifacts })).toBe(stateHash({ messages, custom, artifacts }));
      }),
      { numRuns: 500 },
    );
  });

  it("tells apart states that hold the same values in different places", () => {
    const x = { a: 1 };
    const states = [
      { messages: [], artifacts: [] },
      { messages: [], custom: null, artifacts: [] },
      { messages: [], custom: "", artifacts: [] },
      { messages: [], custom: x, artifacts: [] },
      { messages: [x], artifacts: [] },
      { messages: [x, x], artifacts: [] },
      { messages: [[x, x]], artifacts: [] },
      { messages: [], artifacts: [x] },
      { messages: [], artifacts: [x, x] },
      { messages: [], artifacts: [[x, x]] },
    ];
    expect(new Set(states.map(stateHash)).size).toBe(states.length);
  });

  it.each([
    ["a message", { messages: [{}, { at: new Date(0) }], artifacts: [] }, '"/messages/1/at"'],
    ["the custom state", { messages: [], custom: { n: Number.NaN }, artifacts: [] }, '"/custom/n"'],
    ["an artifact", { messages: [], artifacts: [{ size: 1n }] }, '"/artifacts/0/size"'],
  ])("says where in the state the value is when it refuses %s", (_, value, path) => {
    expect(() => stateHash(value)).toThrow(`The value at ${path}`);
  });

  it("refuses a digest that is none", () => {
    expect(() => stateHash({ messages: "abc", artifacts: [] })).toThrow("start from EMPTY_MESSAGES");
    expect(() => extendMessages(EMPTY_MESSAGES.toUpperCase(), [])).toThrow("64 lower-case hexadecimal digits");
  });
});

/** Members in another order, the same for each value. */
function shuffled<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled) as T;
  const entries = Object.entries(value).map(([name, member]) => [name, shuffled(member)] as const);
  return Object.fromEntries(entries.reverse()) as T;
}
