import { AgentError, toAgentError } from "@agents/schema/error";
import type { Attributes, Span, Telemetry } from "@agents/schema/port";
import { type Span as OtelSpan, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { createOtelMetrics } from "./create-otel-metrics.ts";
import { NO_SPAN } from "./no-telemetry.ts";
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
 * Reports to the OpenTelemetry API, which does nothing until the application installs an SDK; that may happen later.
 * Whatever an SDK throws stays here: the function in a span runs once in any case, and its outcome is passed on.
 */
export function createOtelTelemetry(options: OtelTelemetryOptions = {}): Telemetry {
  const { name = "@agents/core", version, upDownCounters = ["agents.turn.active"] } = options;
  let tracer: Tracer | undefined;
  return {
    ...createOtelMetrics({ name, version, upDownCounters }),
    span(spanName, attributes, run) {
      let outcome: ReturnType<typeof run> | undefined;
      quietly(() => {
        // The API's tracer looks for a provider that is installed later by itself.
        tracer ??= trace.getTracer(name, version);
        tracer.startActiveSpan(spanName, { attributes: otelAttributes(attributes) }, (span) => {
          outcome ??= runInSpan(span, run);
        });
      });
      return outcome ?? runInSpan(undefined, run);
    },
  };
}

async function runInSpan<T>(span: OtelSpan | undefined, run: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await run(span === undefined ? NO_SPAN : portSpan(span));
  } catch (error) {
    quietly(() => recordFailure(span, error));
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
function recordFailure(span: OtelSpan | undefined, error: unknown): void {
  const { message, status } = toAgentError(error);
  const type = error instanceof Error && !AgentError.is(error) ? error.name : status;
  span?.setAttribute("error.type", type);
  span?.recordException(error instanceof Error ? error : { name: type, message });
  span?.setStatus({ code: SpanStatusCode.ERROR, message });
}
