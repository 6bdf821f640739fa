import { createMemoryTelemetry } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { systemClock } from "../clock/system-clock.ts";
import { countOperation } from "./measure-operation.ts";
import { NO_TELEMETRY } from "./no-telemetry.ts";

describe("an operation", () => {
  it("is counted and timed where somebody records", async () => {
    const telemetry = createMemoryTelemetry();
    expect(await countOperation({ telemetry, clock: systemClock, attributes: {} }, async () => 7)).toBe(7);
    expect(telemetry.total("agents.operation.count")).toBe(1);
    expect(telemetry.values("agents.operation.duration")).toHaveLength(1);
  });

  it.each([
    ["that says it is not active", { ...createMemoryTelemetry(), active: false }],
    ["that records nothing", NO_TELEMETRY],
  ])("is not timed for telemetry %s: its promise is passed on as it is", async (_, telemetry) => {
    const work = Promise.resolve(7);
    const clock = { ...systemClock, now: () => expect.fail("nobody needs to know the time") };
    expect(countOperation({ telemetry, clock, attributes: {} }, () => work)).toBe(work);
  });
});
