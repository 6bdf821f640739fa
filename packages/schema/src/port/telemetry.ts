/** As in OpenTelemetry: what is `undefined` is not recorded. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Span {
  setAttributes(attributes: Attributes): void;
  addEvent(name: string, attributes?: Attributes): void;
  /** For the log line and the error's correlation id. Absent when nothing is recorded. */
  readonly traceId?: string;
}

/**
 * Where the runtime reports to. Core's default writes to the OpenTelemetry API, which does nothing until an application
 * installs an SDK. Implementations must not throw.
 */
export interface Telemetry {
  /** False: nothing is recorded at this moment, so what would only be measured need not be. @default true */
  readonly active?: boolean;
  /**
   * Runs the function inside a span, which is current for whatever it calls. The span ends when the function does, with
   * its error recorded if it fails; the result or error is passed on unchanged.
   */
  span<T>(name: string, attributes: Attributes, run: (span: Span) => Promise<T>): Promise<T>;
  /** Adds to a counter; negative values are allowed on up-down counters such as `agents.turn.active`. */
  count(metric: string, value: number, attributes?: Attributes): void;
  /** Records into a histogram; durations are in seconds. */
  record(metric: string, value: number, attributes?: Attributes): void;
}
