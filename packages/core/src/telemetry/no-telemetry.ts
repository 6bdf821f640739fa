import type { Span, Telemetry } from "@agents/schema/port";

export const NO_SPAN: Span = { setAttributes() {}, addEvent() {} };

/** Records nothing. What runs inside a span runs as if there were none. */
export const NO_TELEMETRY: Telemetry = {
  span: async (_name, _attributes, run) => run(NO_SPAN),
  count() {},
  record() {},
};
