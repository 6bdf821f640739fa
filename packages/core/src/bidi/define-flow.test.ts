import type { Clock, Telemetry } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { NO_SPAN } from "../telemetry/no-telemetry.ts";
import { createRegistry } from "./create-registry.ts";
import { defineFlow } from "./define-flow.ts";

function observed() {
  const seen: unknown[] = [];
  let now = 0;
  const clock: Clock = { now: () => (now += 500), setTimer: () => () => {} };
  const telemetry: Telemetry = {
    span: async (name, attributes, run) => {
      seen.push(["span", name, attributes["agents.operation.name"]]);
      return run(NO_SPAN);
    },
    count: (metric, value, attributes) => void seen.push([metric, value, attributes?.["error.type"]]),
    record: (metric, value) => void seen.push([metric, value]),
  };
  return { seen, clock, telemetry, registry: createRegistry() };
}

describe("a flow", () => {
  it("is registered under its name with its schemas", async () => {
    const { registry } = observed();
    const flow = defineFlow(
      { registry, name: "double", description: "Doubles", inputSchema: z.number(), outputSchema: z.number() },
      async ({ inputs }) => {
        for await (const n of inputs) return n * 2;
        return 0;
      },
    );
    expect(await flow.run(21)).toBe(42);
    expect(registry.lookup("double", "flow")?.action).toBe(flow);
    expect(registry.list("flow")).toMatchObject([
      { name: "double", description: "Doubles", schemas: { input: { type: "number" } } },
    ]);
    expect(() => defineFlow({ registry, name: "double" }, async () => {})).toThrow(/registered flow/);
  });

  it("is one span and one count per invocation, with its duration in seconds", async () => {
    const { seen, ...options } = observed();
    const flow = defineFlow({ ...options, name: "f" }, async () => "ok");
    await flow.connect().output();
    expect(seen).toEqual([
      ["agents.operation.count", 1, undefined],
      ["span", "flow f", "f"],
      ["agents.operation.duration", 0.5],
    ]);
  });

  it("is counted as failed when its output breaks its contract", async () => {
    const { seen, ...options } = observed();
    const flow = defineFlow({ ...options, name: "f", outputSchema: z.string() }, async () => 1 as never);
    await expect(flow.run("x")).rejects.toMatchObject({ status: "INTERNAL" });
    expect(seen).toContainEqual(["agents.operation.error_count", 1, "INTERNAL"]);
  });

  it("reports nothing for a call that was refused before it ran", async () => {
    const { seen, ...options } = observed();
    const flow = defineFlow({ ...options, name: "f", inputSchema: z.string() }, async () => 1);
    await expect(flow.run(5 as never)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(seen).toEqual([]);
  });
});
