import { toAgentError } from "@agents/schema/error";
import type { Attributes, Clock, Span, Telemetry } from "@agents/schema/port";

/** Names of the metrics of one kind of operation. */
export interface OperationMetrics {
  readonly count: string;
  readonly errorCount: string;
  readonly duration: string;
}

export const AGENT_OPERATION = metricsOf("agents.operation");
export const STORE_OPERATION = metricsOf("agents.store.operation");

export interface CountOperationOptions {
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** @default AGENT_OPERATION */
  readonly metrics?: OperationMetrics;
  /** Few distinct values: names and kinds, no ids. */
  readonly attributes: Attributes;
}

export interface MeasureOperationOptions extends CountOperationOptions {
  /** Name of the span. */
  readonly span: string;
}

/** Runs the function in a span and counts it, its failure and its duration. Its outcome is passed on unchanged. */
export function measureOperation<T>(options: MeasureOperationOptions, run: (span: Span) => Promise<T>): Promise<T> {
  const { telemetry, span, attributes } = options;
  return countOperation(options, () => telemetry.span(span, attributes, run));
}

/** Counts a call, its failure and its duration. Its outcome is passed on unchanged. */
export function countOperation<T>(options: CountOperationOptions, run: () => Promise<T>): Promise<T> {
  const { telemetry, clock, metrics = AGENT_OPERATION, attributes } = options;
  if (telemetry.active === false) return run();
  const startedAt = clock.now();
  const ended = (): void => telemetry.record(metrics.duration, (clock.now() - startedAt) / 1_000, attributes);
  telemetry.count(metrics.count, 1, attributes);
  return run().then(
    (value) => {
      ended();
      return value;
    },
    (error: unknown) => {
      telemetry.count(metrics.errorCount, 1, { "error.type": toAgentError(error).status, ...attributes });
      ended();
      throw error;
    },
  );
}

function metricsOf(operation: string): OperationMetrics {
  return { count: `${operation}.count`, errorCount: `${operation}.error_count`, duration: `${operation}.duration` };
}
