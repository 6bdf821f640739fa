export type { ActionJsonSchemas } from "./bidi/action-json-schemas.ts";
export type { ActionSchemas, BidiAction, BidiCallArguments, BidiCallOptions } from "./bidi/bidi-action.ts";
export type { BidiConnection, BidiStream } from "./bidi/bidi-connection.ts";
export {
  type ActionDescription,
  type ActionKind,
  createRegistry,
  type Registry,
  type RegistryEntry,
} from "./bidi/create-registry.ts";
export {
  type BidiActionOptions,
  type BidiCall,
  type BidiHandler,
  defineBidiAction,
} from "./bidi/define-bidi-action.ts";
export { defineFlow, type FlowOptions } from "./bidi/define-flow.ts";
export { systemClock } from "./clock/system-clock.ts";
export { systemIds } from "./clock/system-ids.ts";
export { createOtelTelemetry, type OtelTelemetryOptions } from "./telemetry/create-otel-telemetry.ts";
export { NO_TELEMETRY } from "./telemetry/no-telemetry.ts";
