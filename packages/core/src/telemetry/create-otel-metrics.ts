import type { Attributes } from "@agents/schema/port";
import type { Histogram, Meter, MeterProvider, UpDownCounter } from "@opentelemetry/api";
import type { OtelApi } from "./otel-api.ts";
import { otelAttributes } from "./otel-attributes.ts";
import { quietly } from "./quietly.ts";

export interface OtelMetricsOptions {
  name: string;
  version: string | undefined;
  upDownCounters: readonly string[];
}

/** The half of Telemetry that counts. Never throws. */
export interface OtelMetrics {
  count(api: OtelApi, metric: string, value: number, attributes?: Attributes): void;
  record(api: OtelApi, metric: string, value: number, attributes?: Attributes): void;
}

/** The instruments of one provider: each name is made once. */
interface Instruments {
  readonly provider: MeterProvider;
  readonly meter: Meter;
  readonly counters: Map<string, UpDownCounter>;
  readonly histograms: Map<string, Histogram>;
}

export function createOtelMetrics({ name, version, upDownCounters }: OtelMetricsOptions): OtelMetrics {
  let current: Instruments | undefined;

  /** An instrument made before the SDK was installed stays deaf, so a new provider means new instruments. */
  const instruments = ({ metrics }: OtelApi): Instruments => {
    const provider = metrics.getMeterProvider();
    if (current?.provider !== provider) {
      current = { provider, meter: provider.getMeter(name, version), counters: new Map(), histograms: new Map() };
    }
    return current;
  };

  const counter = ({ meter, counters }: Instruments, metric: string, firstValue: number): UpDownCounter => {
    const known = counters.get(metric);
    if (known !== undefined) return known;
    const upDown = firstValue < 0 || upDownCounters.includes(metric);
    const made = upDown ? meter.createUpDownCounter(metric) : meter.createCounter(metric);
    counters.set(metric, made);
    return made;
  };

  const histogram = ({ meter, histograms }: Instruments, metric: string): Histogram => {
    const known = histograms.get(metric);
    if (known !== undefined) return known;
    const made = meter.createHistogram(metric, unitOf(metric));
    histograms.set(metric, made);
    return made;
  };

  return {
    count(api, metric, value, attributes = {}) {
      quietly(() => counter(instruments(api), metric, value).add(value, otelAttributes(attributes)));
    },
    record(api, metric, value, attributes = {}) {
      quietly(() => histogram(instruments(api), metric).record(value, otelAttributes(attributes)));
    },
  };
}

/** By the semantic conventions: durations are in seconds, usage in tokens. */
function unitOf(metric: string): { unit?: string } {
  if (metric.endsWith(".duration")) return { unit: "s" };
  return metric.endsWith(".token.usage") ? { unit: "{token}" } : {};
}
