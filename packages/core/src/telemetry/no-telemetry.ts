import type { Span, Telemetry } from "@agents/schema/port";

export const NO_SPAN: Span = { setAttributes() {}, addEvent() {} };

/** Runs what would run in a span. What is thrown at once is a rejection too. */
export function withoutSpan<T>(run: (span: Span) => Promise<T>): Promise<T> {
  try {
    return run(NO_SPAN);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Records nothing. What runs inside a span runs as if there were none. */
export const NO_TELEMETRY: Telemetry = {
  active: false,
  span: (_name, _attributes, run) => withoutSpan(run),
  count() {},
  record() {},
};
