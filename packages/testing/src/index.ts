export { createIdSource } from "./clock/id-source.ts";
export { createManualClock, type ManualClock, type ManualClockOptions } from "./clock/manual-clock.ts";
export {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  type ScriptedStep,
  textReply,
} from "./model/scripted-model.ts";
export { collect, collectUntil } from "./stream/collect.ts";
export {
  createMemoryTelemetry,
  type Measurement,
  type MemoryTelemetry,
  type RecordedSpan,
} from "./telemetry/memory-telemetry.ts";
