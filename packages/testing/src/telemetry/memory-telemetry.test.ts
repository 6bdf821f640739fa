import { describe, expect, it } from "vitest";
import { createMemoryTelemetry } from "./memory-telemetry.ts";

describe("createMemoryTelemetry", () => {
  it("makes the span that is current the parent, over awaits and side by side", async () => {
    const telemetry = createMemoryTelemetry();
    await telemetry.span("agent", {}, async () => {
      await Promise.resolve();
      await Promise.all([
        telemetry.span("turn 1", {}, async () => {
          await Promise.resolve();
          await telemetry.span("chat", {}, async () => {});
        }),
        telemetry.span("turn 2", {}, async () => {}),
      ]);
    });
    await telemetry.span("other", {}, async () => {});
    expect(telemetry.spans.map(({ name }) => name)).toEqual(["agent", "other"]);
    const [agent, other] = telemetry.spans;
    expect(agent?.children.map(({ name }) => name)).toEqual(["turn 1", "turn 2"]);
    expect(agent?.children[0]?.children.map(({ name }) => name)).toEqual(["chat"]);
    expect(telemetry.findSpans("chat")).toEqual(agent?.children[0]?.children);
    expect(telemetry.findSpans("chat")[0]?.traceId).toBe(agent?.traceId);
    expect(other?.traceId).not.toBe(agent?.traceId);
  });

  it("passes the result on, and records attributes and events as they come", async () => {
    const telemetry = createMemoryTelemetry();
    const result = await telemetry.span("a", { model: "m", left: undefined }, async (span) => {
      expect(telemetry.spans[0]?.ended).toBe(false);
      expect(span.traceId).toBe(telemetry.spans[0]?.traceId);
      span.setAttributes({ tokens: 3, gone: undefined });
      span.addEvent("first", { n: 1 });
      span.addEvent("second");
      return 42;
    });
    expect(result).toBe(42);
    expect(telemetry.spans[0]).toMatchObject({
      ended: true,
      attributes: { model: "m", tokens: 3 },
      events: [
        { name: "first", attributes: { n: 1 } },
        { name: "second", attributes: {} },
      ],
    });
    expect(Object.keys(telemetry.spans[0]?.attributes ?? {})).toEqual(["model", "tokens"]);
  });

  it("passes an error on unchanged and records it, also one that is thrown at once", async () => {
    const telemetry = createMemoryTelemetry();
    const error = new Error("broken");
    await expect(telemetry.span("later", {}, () => Promise.reject(error))).rejects.toBe(error);
    const atOnce = telemetry.span("at once", {}, () => {
      throw error;
    });
    await expect(atOnce).rejects.toBe(error);
    expect(telemetry.spans.map((span) => [span.ended, span.error])).toEqual([
      [true, error],
      [true, error],
    ]);
  });

  it("sums counters and keeps the values of histograms, by attributes", () => {
    const telemetry = createMemoryTelemetry();
    telemetry.count("turns", 1, { agent: "a" });
    telemetry.count("turns", 2, { agent: "b" });
    telemetry.count("turns", -1, { agent: "a" });
    telemetry.record("seconds", 0.5, { agent: "a" });
    telemetry.record("seconds", 0.25);
    expect(telemetry.total("turns")).toBe(2);
    expect(telemetry.total("turns", { agent: "a" })).toBe(0);
    expect(telemetry.total("nothing")).toBe(0);
    expect(telemetry.values("seconds")).toEqual([0.5, 0.25]);
    expect(telemetry.values("seconds", { agent: "a" })).toEqual([0.5]);
    expect(telemetry.counts[0]).toEqual({ metric: "turns", value: 1, attributes: { agent: "a" } });
  });
});
