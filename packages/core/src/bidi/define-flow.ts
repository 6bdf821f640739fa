import type { Clock, Telemetry } from "@agents/schema/port";
import { systemClock } from "../clock/system-clock.ts";
import { createOtelTelemetry } from "../telemetry/create-otel-telemetry.ts";
import { measureOperation } from "../telemetry/measure-operation.ts";
import type { BidiAction } from "./bidi-action.ts";
import type { Registry } from "./create-registry.ts";
import { type BidiActionOptions, type BidiHandler, defineBidiAction } from "./define-bidi-action.ts";

export interface FlowOptions<Init, In, Stream, Out, InitRead = Init, InRead = In, StreamRead = Stream, OutRead = Out>
  extends Omit<BidiActionOptions<Init, In, Stream, Out, InitRead, InRead, StreamRead, OutRead>, "around"> {
  /** Where the flow can be found by its name. */
  registry: Registry;
  /** @default the OpenTelemetry API */
  telemetry?: Telemetry;
  /** Measures durations. @default the machine's */
  clock?: Clock;
}

/**
 * Defines a bidi action that is registered under its name and traced: each invocation is a span `flow {name}` and is
 * counted in `agents.operation.*`, from the start of the handler to its checked output.
 * Throws ALREADY_EXISTS if the name is taken.
 */
export function defineFlow<
  Init = undefined,
  In = unknown,
  Stream = unknown,
  Out = unknown,
  InitRead = Init,
  InRead = In,
  StreamRead = Stream,
  OutRead = Out,
>(
  options: FlowOptions<Init, In, Stream, Out, InitRead, InRead, StreamRead, OutRead>,
  handler: BidiHandler<NoInfer<InitRead>, NoInfer<InRead>, NoInfer<Stream>, NoInfer<Out>>,
): BidiAction<Init, In, StreamRead, OutRead> {
  const { registry, telemetry = createOtelTelemetry(), clock = systemClock, ...rest } = options;
  const { name } = rest;
  const attributes = { "agents.operation.kind": "flow", "agents.operation.name": name };
  const flow = defineBidiAction(
    { ...rest, around: (run) => measureOperation({ telemetry, clock, span: `flow ${name}`, attributes }, run) },
    handler,
  );
  const { description, metadata, schemas } = flow;
  registry.register({
    kind: "flow",
    name,
    action: flow,
    metadata,
    schemas,
    ...(description === undefined ? {} : { description }),
  });
  return flow;
}
