import { describe, expect, expectTypeOf, it } from "vitest";
import { AGENT_PATHS, fillPath, formatPosition, type PathParameter, parsePosition, RESOURCE_PATHS } from "./index.ts";

describe("paths", () => {
  it("take their parameters, encoded so that a value cannot leave its place", () => {
    expect(fillPath(AGENT_PATHS.followTurn, { name: "a", turnId: "../x?y#z" })).toBe(
      "/agents/a/turns/..%2Fx%3Fy%23z/stream",
    );
    expect(fillPath(RESOURCE_PATHS.interaction, { id: "1", iid: "2" })).toBe("/agent/turns/1/interactions/2");
  });

  it("say by their type which parameters they take", () => {
    expectTypeOf<PathParameter<typeof RESOURCE_PATHS.interaction>>().toEqualTypeOf<"id" | "iid">();
    expectTypeOf<PathParameter<typeof AGENT_PATHS.listAgents>>().toEqualTypeOf<never>();
  });
});

describe("positions", () => {
  it("come back as they were written", () => {
    expect(parsePosition(formatPosition({ epoch: 2, seq: 41 }))).toEqual({ epoch: 2, seq: 41 });
  });

  it.each(["", "1", "1-", "-1", "1-2-3", "1-2 ", "a-b", "01-2", "1-02", `${"9".repeat(20)}-1`])("refuse %j", (text) => {
    expect(() => parsePosition(text)).toThrow(
      expect.objectContaining({ status: "INVALID_ARGUMENT", message: expect.stringContaining(JSON.stringify(text)) }),
    );
  });
});
