import type { Attributes } from "@agents/schema/port";
import type { Attributes as OtelAttributes } from "@opentelemetry/api";

/** The same without what is `undefined`. */
export function otelAttributes(attributes: Attributes): OtelAttributes {
  const result: OtelAttributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) result[key] = typeof value === "object" ? [...value] : value;
  }
  return result;
}
