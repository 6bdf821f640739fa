import type * as otel from "@opentelemetry/api";

export type OtelApi = typeof otel;

/** Where the API keeps what an SDK installed, for every copy of itself: the symbol is the same in all of 1.x. */
const INSTALLED = Symbol.for("opentelemetry.js.api.1");

let loaded: OtelApi | undefined;
let loading: Promise<OtelApi> | undefined;

/** Whether an application has installed an SDK. Until then there is nobody to report to. */
export function isOtelInstalled(): boolean {
  const installed = (globalThis as { [INSTALLED]?: { trace?: unknown; metrics?: unknown } })[INSTALLED];
  return installed !== undefined && (installed.trace !== undefined || installed.metrics !== undefined);
}

/** The API, once it was loaded. */
export function otelApi(): OtelApi | undefined {
  return loaded;
}

/** Loaded when it is first needed: it takes half as long as all the rest of core, and most processes never need it. */
export function loadOtelApi(): Promise<OtelApi> {
  loading ??= import("@opentelemetry/api").then((api) => {
    loaded = api;
    return api;
  });
  return loading;
}
