import fc from "fast-check";
import { expect, it } from "vitest";
import { messageFrame } from "./sse-frame-text.ts";

const part = fc.oneof(
  fc.record({ text: fc.string({ unit: "binary" }) }),
  fc.record({ text: fc.string(), metadata: fc.option(fc.jsonValue(), { nil: undefined }) }, { requiredKeys: [] }),
  fc.record({ reasoning: fc.string() }),
);
const chunk = fc.oneof(
  fc.record(
    {
      modelChunk: fc.record(
        {
          role: fc.constantFrom("model", "tool", "user", undefined),
          index: fc.oneof(fc.nat(), fc.constantFrom(-0, 1.5, Number.NaN, undefined)),
          content: fc.array(part, { maxLength: 2 }),
          extra: fc.jsonValue(),
        },
        { requiredKeys: ["content"] },
      ),
      status: fc.jsonValue(),
    },
    { requiredKeys: ["modelChunk"] },
  ),
  fc.jsonValue(),
);

it("writes every chunk as JSON.stringify does, the frequent ones faster", () => {
  fc.assert(
    fc.property(chunk, (message) => {
      expect(messageFrame(message, "1-2")).toBe(`data: ${JSON.stringify({ message, position: "1-2" })}\n\n`);
    }),
    { numRuns: 2_000 },
  );
});

it("leaves what is no plain data to JSON.stringify", () => {
  class Part {
    get text() {
      return "inherited";
    }
  }
  for (const content of [
    new Part(),
    { text: "x", toJSON: () => "y" },
    Object.create({ text: "proto" }),
    { text: 1n < 2 },
  ]) {
    const message = { modelChunk: { content: [content] } };
    expect(messageFrame(message)).toBe(`data: ${JSON.stringify({ message })}\n\n`);
  }
});
