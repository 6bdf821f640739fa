import type { AgentInput } from "@agents/schema/agent";
import { LiveSession } from "../session/live-session.ts";
import { State } from "../state/state.ts";
import { CarriedRecorder } from "./carried-recorder.ts";
import { type BoundTransform, bindTransform } from "./client-transform.ts";
import { Emitter } from "./emitter.ts";
import type { InvocationOptions } from "./invocation-options.ts";
import { carriedSessionId, originOf, startingState } from "./start-point.ts";
import { StoredRecorder } from "./stored-recorder.ts";
import type { TurnRecorder } from "./turn-recorder.ts";
import type { Workbench } from "./workbench.ts";

/** Until the first turn has loaded its state. */
const NO_STATE = State.import<never>("");

/** Makes the parts of an invocation and joins them. */
export function setUp<Custom, Status>(options: InvocationOptions<Custom, Status>): Workbench<Custom, Status> {
  const { spec, stored, clock, ids, telemetry, context, inbox, sendChunk, stop, detach } = options;
  const transform = bindTransform(spec.clientTransform, context);
  const recorder = createRecorder(options, transform);
  const emitter = new Emitter<Custom, Status>({
    transform,
    clock,
    patienceMs: stored?.desk.expiryMs ?? 0,
    log: () => recorder.log,
    sendChunk,
    stop,
  });
  const live = new LiveSession<Custom>(NO_STATE, (emission) => emitter.changed(emission, live.state));
  return {
    spec,
    clock,
    ids,
    telemetry,
    context,
    transform,
    inbox,
    stop,
    detach,
    recorder,
    live,
    emitter,
    sendEnd: sendChunk,
  };
}

function createRecorder<Custom, Status>(
  options: InvocationOptions<Custom, Status>,
  transform: BoundTransform<Custom, Status>,
): TurnRecorder<Custom> {
  const { spec, stored, caller, context, ids, init, stop, detach, onTurn, claimed } = options;
  if (stored === undefined) {
    const sessionId = carriedSessionId(init, ids);
    return new CarriedRecorder(sessionId, () => startingState(spec, context, { sessionId, given: init.state }));
  }
  return new StoredRecorder<Custom>({
    desk: stored.desk,
    queue: stored.queue,
    caller,
    origin: originOf(init, ids),
    fresh: (sessionId) => startingState(spec, context, { sessionId }),
    stop,
    shownInput: transform.message && ((input) => shownInput(transform, input)),
    onOpen(row) {
      detach.offer(row);
      onTurn(row.snapshotId);
    },
    claimed,
  });
}

async function shownInput(transform: Pick<BoundTransform, "message">, input: AgentInput): Promise<AgentInput> {
  const { message, ...rest } = input;
  const shown = message && (await transform.message?.(message));
  return { ...rest, ...(shown === undefined ? {} : { message: shown }) } as AgentInput;
}
