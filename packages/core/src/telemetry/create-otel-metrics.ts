import type { Attributes, Telemetry } from "@agents/schema/port";
import { type Histogram, type Meter, type MeterProvider, metrics, type UpDownCounter } from "@opentelemetry/api";
import { otelAttributes } from "./otel-attributes.ts";
import { quietly } from "./quietly.ts";

export interface OtelMetricsOptions {
  name: string;
  version: string | undefined;
  upDownCounters: readonly string[];
}

/** The instruments of one provider: each name is made once. */
interface Instruments {
  readonly provider: MeterProvider;
  readonly meter: Meter;
  readonly counters: Map<string, UpDownCounter>;
  readonly histograms: Map<string, Histogram>;
}

/** The half of Telemetry that counts. Never throws. */
export function createOtelMetrics(options: OtelMetricsOptions): Pick<Telemetry, "count" | "record"> {
  const { name, version, upDownCounters } = options;
  let current: Instruments | undefined;

  /** An instrument made before the SDK was installed stays deaf, so a new provider means new instruments. */
  const instruments = (): Instruments => {
    const provider = metrics.getMeterProvider();
    if (current?.provider !== provider) {
      current = { provider, meter: provider.getMeter(name, version), counters: new Map(), histograms: new Map() };
    }
    return current;
  };

  const counter = (metric: string, firstValue: number): UpDownCounter => {
    const { meter, counters } = instruments();
    const known = counters.get(metric);
    if (known !== undefined) return known;
    const upDown = firstValue < 0 || upDownCounters.includes(metric);
    const made = upDown ? meter.createUpDownCounter(metric) : meter.createCounter(metric);
    counters.set(metric, made);
    return made;
  };

  const histogram = (metric: string): Histogram => {
    const { meter, histograms } = instruments();
    const known = histograms.get(metric);
    if (known !== undefined) return known;
    const made = meter.createHistogram(metric, unitOf(metric));
    histograms.set(metric, made);
    return made;
  };

  return {
    count(metric: string, value: number, attributes: Attributes = {}) {
      quietly(() => counter(metric, value).add(value, otelAttributes(attributes)));
    },
    record(metric: string, value: number, attributes: Attributes = {}) {
      quietly(() => histogram(metric).record(value, otelAttributes(attributes)));
    },
  };
}

/** By the semantic conventions: durations are in seconds, usage in tokens. */
function unitOf(metric: string): { unit?: string } {
  if (metric.endsWith(".duration")) return { unit: "s" };
  return metric.endsWith(".token.usage") ? { unit: "{token}" } : {};
}
