import { expect, it } from "vitest";
import { NO_TELEMETRY } from "./no-telemetry.ts";

it("runs the function and passes on its outcome, recording nothing", async () => {
  const failure = new Error("mine");
  const result = await NO_TELEMETRY.span("work", {}, async (span) => {
    span.setAttributes({ a: 1 });
    span.addEvent("half");
    NO_TELEMETRY.count("a", 1);
    NO_TELEMETRY.record("b", 1);
    return span.traceId;
  });
  expect(result).toBeUndefined();
  await expect(NO_TELEMETRY.span("work", {}, () => Promise.reject(failure))).rejects.toBe(failure);
  const atOnce = () => {
    throw failure;
  };
  await expect(NO_TELEMETRY.span("work", {}, atOnce)).rejects.toBe(failure);
});
