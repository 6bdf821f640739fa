import { describe, expect, it } from "vitest";
import { createOutputCheck } from "./output-check.ts";

const schema = (type: string) => ({ $id: "https://example.com/out", type: "object", properties: { n: { type } } });

describe("checking an output by its schema", () => {
  it("goes by the schema that was given, also when an older one had the same $id", () => {
    expect(createOutputCheck(schema("number"))({ n: "one" })).toMatch(/number/);
    expect(createOutputCheck(schema("string"))({ n: "one" })).toBeUndefined();
  });

  it("finds nothing wrong by a schema that cannot be compiled", () => {
    expect(createOutputCheck({ type: "nonsense" })({ n: 1 })).toBeUndefined();
  });
});
