import { toAgentError } from "@agents/schema/error";
import type { Attributes, Clock, Span, Telemetry } from "@agents/schema/port";

export interface MeasureOperationOptions {
  telemetry: Telemetry;
  clock: Clock;
  /** Name of the span. */
  span: string;
  /** Metrics are `{metric}.count`, `.error_count` and `.duration`. @default "agents.operation" */
  metric?: string;
  /** Of the span and of the metrics, so few distinct values: names and kinds, no ids. */
  attributes: Attributes;
}

/** Runs the function in a span and counts it, its failure and its duration. Its outcome is passed on unchanged. */
export async function measureOperation<T>(
  options: MeasureOperationOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  const { telemetry, clock, span, metric = "agents.operation", attributes } = options;
  const startedAt = clock.now();
  telemetry.count(`${metric}.count`, 1, attributes);
  try {
    return await telemetry.span(span, attributes, run);
  } catch (error) {
    telemetry.count(`${metric}.error_count`, 1, { ...attributes, "error.type": toAgentError(error).status });
    throw error;
  } finally {
    telemetry.record(`${metric}.duration`, (clock.now() - startedAt) / 1_000, attributes);
  }
}
