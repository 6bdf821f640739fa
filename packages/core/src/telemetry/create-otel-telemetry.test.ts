import { AsyncLocalStorage } from "node:async_hooks";
import { AgentError } from "@agents/schema/error";
import {
  type Context,
  context,
  metrics,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createOtelTelemetry } from "./create-otel-telemetry.ts";
import { loadOtelApi } from "./otel-api.ts";

interface RecordedSpan {
  name: string;
  parent: string | undefined;
  attributes: Record<string, unknown>;
  events: unknown[];
  exceptions: unknown[];
  status?: unknown;
  ended: number;
}

/** As much of an SDK as it takes to see what arrives. */
function installTracing({ failing = false } = {}) {
  const spans: RecordedSpan[] = [];
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (ctx, fn, thisArg, ...args) => storage.run(ctx, () => fn.apply(thisArg as never, args)),
    bind: (_ctx, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  const names = new Map<unknown, string>();
  const startSpan: Tracer["startSpan"] = (name, options) => {
    const parent = trace.getActiveSpan();
    const record: RecordedSpan = {
      name,
      parent: parent && names.get(parent),
      attributes: { ...options?.attributes },
      events: [],
      exceptions: [],
      ended: 0,
    };
    spans.push(record);
    const span = spanOf(record, failing);
    names.set(span, name);
    return span;
  };
  const startActiveSpan = ((name: string, options: object, run: (span: Span) => unknown) => {
    if (failing && name === "no span") throw new Error("exporter is broken");
    const span = startSpan(name, options);
    return context.with(trace.setSpan(context.active(), span), run, undefined, span);
  }) as Tracer["startActiveSpan"];
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) });
  return spans;
}

function spanOf(record: RecordedSpan, failing: boolean): Span {
  const done = (change: () => void) => {
    if (failing) throw new Error("exporter is broken");
    change();
    return span;
  };
  const span = {
    spanContext: () => ({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 }),
    isRecording: () => {
      done(() => {});
      return true;
    },
    setAttribute: (key: string, value: unknown) => done(() => Object.assign(record.attributes, { [key]: value })),
    setAttributes: (attributes: object) => done(() => Object.assign(record.attributes, attributes)),
    addEvent: (name: string, attributes: unknown) => done(() => record.events.push([name, attributes])),
    recordException: (error: unknown) => done(() => record.exceptions.push(error)),
    setStatus: (status: unknown) => done(() => Object.assign(record, { status })),
    end: () => done(() => record.ended++),
  };
  return span as unknown as Span;
}

function installMetrics({ failing = false } = {}) {
  const made: string[] = [];
  const values: unknown[] = [];
  const instrument = (type: string) => (name: string, options?: { unit?: string }) => {
    if (failing) throw new Error("no instruments");
    made.push(`${type} ${name}${options?.unit ? ` in ${options.unit}` : ""}`);
    const note = (value: number, attributes: unknown) => values.push([name, value, attributes]);
    return { add: note, record: note };
  };
  const meter = {
    createCounter: instrument("counter"),
    createUpDownCounter: instrument("up-down counter"),
    createHistogram: instrument("histogram"),
  };
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as never);
  return { made, values };
}

const uninstall = () => {
  trace.disable();
  metrics.disable();
  context.disable();
};
beforeAll(() => loadOtelApi());
beforeEach(uninstall);
afterEach(uninstall);

describe("a span", () => {
  it("has the attributes that are defined, and ends with its function", async () => {
    const spans = installTracing();
    const telemetry = createOtelTelemetry();
    const result = await telemetry.span("work", { a: 1, b: undefined, c: ["x"] }, async (span) => {
      span.setAttributes({ d: true, e: undefined });
      span.addEvent("half", { at: 2, of: undefined });
      span.addEvent("bare");
      expect(spans[0]?.ended).toBe(0);
      expect(span.traceId).toBe("1".repeat(32));
      return "done";
    });
    expect(result).toBe("done");
    expect(spans).toEqual([
      {
        name: "work",
        parent: undefined,
        attributes: { a: 1, c: ["x"], d: true },
        events: [
          ["half", { at: 2 }],
          ["bare", {}],
        ],
        exceptions: [],
        ended: 1,
      },
    ]);
  });

  it("is current for what its function calls, across awaits", async () => {
    const spans = installTracing();
    const telemetry = createOtelTelemetry();
    await telemetry.span("outer", {}, async () => {
      await Promise.resolve();
      await telemetry.span("inner", {}, async () => {});
    });
    expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
      ["outer", undefined],
      ["inner", "outer"],
    ]);
  });

  it.each([
    [new AgentError("NOT_FOUND", "no such city"), "NOT_FOUND", "no such city"],
    [new TypeError("x is not a function"), "TypeError", "x is not a function"],
    [{ token: "secret" }, "INTERNAL", expect.not.stringContaining("secret")],
  ])("records the error that its function throws and passes it on: %s", async (thrown, type, message) => {
    const spans = installTracing();
    const run = createOtelTelemetry().span("work", {}, async () => {
      throw thrown;
    });
    await expect(run).rejects.toBe(thrown);
    expect(spans).toMatchObject([
      { attributes: { "error.type": type }, status: { code: SpanStatusCode.ERROR, message }, ended: 1 },
    ]);
    expect(spans[0]?.exceptions).toHaveLength(1);
    expect(JSON.stringify(spans)).not.toContain("secret");
  });

  it("takes a function that throws before it returns a promise for one that rejects", async () => {
    const spans = installTracing();
    const run = createOtelTelemetry().span("work", {}, () => {
      throw new Error("at once");
    });
    await expect(run).rejects.toThrow("at once");
    expect(spans[0]?.ended).toBe(1);
  });

  it("runs its function once, with its own outcome, whatever the SDK throws", async () => {
    installTracing({ failing: true });
    const telemetry = createOtelTelemetry();
    for (const name of ["work", "no span"]) {
      let calls = 0;
      const work = telemetry.span(name, {}, async (span) => {
        span.setAttributes({ a: 1 });
        span.addEvent("half");
        return ++calls;
      });
      expect(await work).toBe(1);
      const failure = new Error("mine");
      await expect(telemetry.span(name, {}, () => Promise.reject(failure))).rejects.toBe(failure);
    }
  });

  it("has no trace id while no SDK is installed", async () => {
    const telemetry = createOtelTelemetry();
    expect(await telemetry.span("work", {}, async (span) => "traceId" in span)).toBe(false);
  });

  it("is recorded by an SDK that was installed after the telemetry was made", async () => {
    const telemetry = createOtelTelemetry();
    const spans = installTracing();
    await telemetry.span("work", {}, async () => {});
    expect(spans).toHaveLength(1);
  });
});

describe("metrics", () => {
  it("use one instrument per name, of the kind that the name or the first value asks for", () => {
    const { made, values } = installMetrics();
    const telemetry = createOtelTelemetry();
    telemetry.count("agents.operation.count", 1, { a: "x", b: undefined });
    telemetry.count("agents.operation.count", 2);
    telemetry.count("agents.turn.active", 1);
    telemetry.count("agents.turn.active", -1);
    telemetry.count("balance", -3);
    telemetry.record("agents.operation.duration", 0.25);
    telemetry.record("agents.operation.duration", 0.5);
    telemetry.record("gen_ai.client.token.usage", 7);
    expect(made).toEqual([
      "counter agents.operation.count",
      "up-down counter agents.turn.active",
      "up-down counter balance",
      "histogram agents.operation.duration in s",
      "histogram gen_ai.client.token.usage in {token}",
    ]);
    expect(values).toEqual([
      ["agents.operation.count", 1, { a: "x" }],
      ["agents.operation.count", 2, {}],
      ["agents.turn.active", 1, {}],
      ["agents.turn.active", -1, {}],
      ["balance", -3, {}],
      ["agents.operation.duration", 0.25, {}],
      ["agents.operation.duration", 0.5, {}],
      ["gen_ai.client.token.usage", 7, {}],
    ]);
  });

  it("reach an SDK that was installed after the first of them", () => {
    const telemetry = createOtelTelemetry();
    telemetry.count("agents.operation.count", 1);
    const { values } = installMetrics();
    telemetry.count("agents.operation.count", 2);
    expect(values).toEqual([["agents.operation.count", 2, {}]]);
  });

  it("that come before the API is loaded are late, and none is lost", async () => {
    const { values } = installMetrics();
    vi.resetModules();
    const fresh = await import("./create-otel-telemetry.ts");
    const telemetry = fresh.createOtelTelemetry();
    telemetry.count("first", 1);
    telemetry.record("second", 2);
    expect(values).toEqual([]);
    await vi.waitFor(() =>
      expect(values).toEqual([
        ["first", 1, {}],
        ["second", 2, {}],
      ]),
    );
  });

  it("throw nothing into the caller", () => {
    installMetrics({ failing: true });
    const telemetry = createOtelTelemetry();
    telemetry.count("a", 1);
    telemetry.record("b", 1);
  });
});
