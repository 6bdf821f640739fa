import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Span, Telemetry } from "@agents/schema/port";

export interface RecordedSpan {
  readonly name: string;
  readonly traceId: string;
  /** Those of its making and those set later; what is `undefined` was left out. */
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  /** Spans that were opened while this one was current, in order of their opening. */
  readonly children: readonly RecordedSpan[];
  readonly ended: boolean;
  /** What the function failed with. Absent when it did not. */
  readonly error?: unknown;
}

export interface Measurement {
  readonly metric: string;
  readonly value: number;
  readonly attributes: Attributes;
}

export interface MemoryTelemetry extends Telemetry {
  /** Spans without a parent, in order of their opening. */
  readonly spans: readonly RecordedSpan[];
  /** Every addition to a counter, in order. */
  readonly counts: readonly Measurement[];
  /** Every value recorded into a histogram, in order. */
  readonly records: readonly Measurement[];
  /** All spans of that name, wherever they are in the trees, parents before children. */
  findSpans(name: string): readonly RecordedSpan[];
  /** The sum of a counter, over those additions that carry at least these attributes. */
  total(metric: string, attributes?: Attributes): number;
  /** The values of a histogram that carry at least these attributes. */
  values(metric: string, attributes?: Attributes): readonly number[];
}

/** Keeps what is reported to it, spans as trees. The parent of a span is the one that was current where it was opened. */
export function createMemoryTelemetry(): MemoryTelemetry {
  const current = new AsyncLocalStorage<OpenSpan>();
  const spans: OpenSpan[] = [];
  const counts: Measurement[] = [];
  const records: Measurement[] = [];

  return {
    spans,
    counts,
    records,
    async span(name, attributes, run) {
      const parent = current.getStore();
      const recorded = openSpan(name, attributes, parent?.traceId ?? `trace-${spans.length + 1}`);
      (parent?.children ?? spans).push(recorded);
      try {
        return await current.run(recorded, async () => await run(handleOf(recorded)));
      } catch (error) {
        recorded.error = error;
        throw error;
      } finally {
        recorded.ended = true;
      }
    },
    count(metric, value, attributes = {}) {
      counts.push({ metric, value, attributes: defined(attributes) });
    },
    record(metric, value, attributes = {}) {
      records.push({ metric, value, attributes: defined(attributes) });
    },
    findSpans: (name) => spans.flatMap(withDescendants).filter((span) => span.name === name),
    total: (metric, attributes) => matching(counts, metric, attributes).reduce((sum, { value }) => sum + value, 0),
    values: (metric, attributes) => matching(records, metric, attributes).map(({ value }) => value),
  };
}

interface OpenSpan extends RecordedSpan {
  attributes: Attributes;
  readonly events: { name: string; attributes: Attributes }[];
  readonly children: OpenSpan[];
  ended: boolean;
  error?: unknown;
}

function openSpan(name: string, attributes: Attributes, traceId: string): OpenSpan {
  return { name, traceId, attributes: defined(attributes), events: [], children: [], ended: false };
}

function handleOf(span: OpenSpan): Span {
  return {
    traceId: span.traceId,
    setAttributes(attributes) {
      span.attributes = { ...span.attributes, ...defined(attributes) };
    },
    addEvent(name, attributes = {}) {
      span.events.push({ name, attributes: defined(attributes) });
    },
  };
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

function withDescendants(span: RecordedSpan): RecordedSpan[] {
  return [span, ...span.children.flatMap(withDescendants)];
}

function matching(measurements: readonly Measurement[], metric: string, attributes: Attributes = {}): Measurement[] {
  const wanted = Object.entries(attributes);
  return measurements.filter(
    (measurement) =>
      measurement.metric === metric && wanted.every(([name, value]) => measurement.attributes[name] === value),
  );
}
