import { AgentError, toAgentError } from "@agents/schema/error";
import type { Attributes, Span, Telemetry } from "@agents/schema/port";
import type { Span as OtelSpan, Tracer } from "@opentelemetry/api";
import { createOtelMetrics } from "./create-otel-metrics.ts";
import { NO_SPAN, withoutSpan } from "./no-telemetry.ts";
import { isOtelInstalled, loadOtelApi, type OtelApi, otelApi } from "./otel-api.ts";
import { otelAttributes } from "./otel-attributes.ts";
import { quietly } from "./quietly.ts";

export interface OtelTelemetryOptions {
  /** The instrumentation scope. @default "@agents/core" */
  name?: string;
  version?: string;
  /** Counters that also go down; others are monotonic unless their first value is negative. @default ["agents.turn.active"] */
  upDownCounters?: readonly string[];
}

/**
 * Reports to the OpenTelemetry API from the moment an application has installed an SDK; that may happen later. Whatever
 * an SDK throws stays here: the function in a span runs once in any case, and its outcome is passed on.
 */
export function createOtelTelemetry(options: OtelTelemetryOptions = {}): Telemetry {
  const { name = "@agents/core", version, upDownCounters = ["agents.turn.active"] } = options;
  const metrics = createOtelMetrics({ name, version, upDownCounters });
  let tracer: Tracer | undefined;

  function spanIn<T>(
    api: OtelApi,
    spanName: string,
    attributes: Attributes,
    run: (span: Span) => Promise<T>,
  ): Promise<T> {
    let outcome: Promise<T> | undefined;
    quietly(() => {
      // The API's tracer looks for a provider that is installed later by itself.
      tracer ??= api.trace.getTracer(name, version);
      tracer.startActiveSpan(spanName, { attributes: otelAttributes(attributes) }, (span) => {
        outcome ??= runInSpan(api, span, run);
      });
    });
    return outcome ?? runInSpan(api, undefined, run);
  }

  return {
    get active() {
      return isOtelInstalled();
    },
    span(spanName, attributes, run) {
      if (!isOtelInstalled()) return withoutSpan(run);
      const api = otelApi();
      if (api !== undefined) return spanIn(api, spanName, attributes, run);
      return loadOtelApi().then((now) => spanIn(now, spanName, attributes, run));
    },
    count: (metric, value, attributes) => whenInstalled((api) => metrics.count(api, metric, value, attributes)),
    record: (metric, value, attributes) => whenInstalled((api) => metrics.record(api, metric, value, attributes)),
  };
}

/** Nothing is lost while the API loads, only late. */
function whenInstalled(report: (api: OtelApi) => void): void {
  if (!isOtelInstalled()) return;
  const api = otelApi();
  if (api !== undefined) report(api);
  else void loadOtelApi().then(report, () => {});
}

async function runInSpan<T>(api: OtelApi, span: OtelSpan | undefined, run: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await run(span === undefined ? NO_SPAN : portSpan(span));
  } catch (error) {
    quietly(() => recordFailure(api, span, error));
    throw error;
  } finally {
    quietly(() => span?.end());
  }
}

function portSpan(span: OtelSpan): Span {
  const traceId = quietly(() => (span.isRecording() ? span.spanContext().traceId : undefined));
  return {
    setAttributes: (attributes: Attributes) => {
      quietly(() => span.setAttributes(otelAttributes(attributes)));
    },
    addEvent: (name, attributes = {}) => {
      quietly(() => span.addEvent(name, otelAttributes(attributes)));
    },
    ...(traceId === undefined ? {} : { traceId }),
  };
}

/** A thrown value that is no Error may hold anything, so only its type is told. */
function recordFailure({ SpanStatusCode }: OtelApi, span: OtelSpan | undefined, error: unknown): void {
  const { message, status } = toAgentError(error);
  const type = error instanceof Error && !AgentError.is(error) ? error.name : status;
  span?.setAttribute("error.type", type);
  span?.recordException(error instanceof Error ? error : { name: type, message });
  span?.setStatus({ code: SpanStatusCode.ERROR, message });
}
