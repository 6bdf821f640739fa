import { describe, expect, it } from "vitest";
import { parseCaseFile } from "./case-file.ts";

const file = (test: string, head = "") => `${head}\ntests:\n  - { name: a, agent: x, ${test} }`;

describe("a case file", () => {
  it("gives its cases", () => {
    const [test] = parseCaseFile(
      file("requires: [c], steps: [{ type: abort, snapshotId: '{{s}}' }]", "capabilities: [c]"),
    );
    expect(test).toEqual({
      name: "a",
      agent: "x",
      requires: ["c"],
      steps: [{ type: "abort", snapshotId: "{{s}}" }],
    });
  });

  it.each([
    ["{ a: [", "Not a case file"],
    ["tests: []", "tests"],
    [file("steps: []"), "steps"],
    [file("steps: [{ type: dance }]"), "type"],
    [file("steps: [{ type: abort, snapshotId: s, expectStatus: x }]"), "expectStatus"],
    [file("steps: [{ type: send, inputs: [{}], expectOutput: { messages: [] } }]"), "messages"],
    [file("requires: [flying], steps: [{ type: abort, snapshotId: s }]"), '"flying"'],
  ])("refuses what is not of the format, naming the place: %j", (text, named) => {
    expect(() => parseCaseFile(text)).toThrow(
      expect.objectContaining({ status: "INVALID_ARGUMENT", message: expect.stringContaining(named) }),
    );
  });
});
