import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, decodeTexts, encodeText, encodeTexts } from "./text.ts";

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
const oddText = fc.string({ unit: fc.constantFrom("\0", "\u0001", "\u0002", "\ud83d", "\ude00", "0", "a") });

describe("text in Postgres", () => {
  it("comes back exactly, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, oddText), (text) => {
        expect(decodeText(encodeText(text))).toBe(text);
      }),
    );
  });

  it("is stored as UTF-8 without U+0000, and no two texts as one", () => {
    fc.assert(
      fc.property(oddText, oddText, (a, b) => {
        const stored = encodeText(a);
        expect(stored.includes("\0")).toBe(false);
        expect(Buffer.from(stored).toString()).toBe(stored);
        expect(stored === encodeText(b)).toBe(a === b);
      }),
    );
  });

  it("is stored as it is where it is JSON", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (json) => {
        expect(encodeText(json)).toBe(json);
      }),
    );
    expect(encodeText(JSON.stringify("\0\ud800"))).toBe('"\\u0000\\ud800"');
  });

  it("comes back event by event from a batch", () => {
    fc.assert(
      fc.property(fc.array(oddText, { minLength: 1 }), (texts) => {
        expect(decodeTexts(encodeTexts(texts))).toEqual(texts);
      }),
    );
  });
});
