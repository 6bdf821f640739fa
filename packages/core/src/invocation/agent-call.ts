import type { AgentChunk, AgentInit } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentContext, Clock, IdSource, Telemetry } from "@agents/schema/port";
import { checkMade } from "../bidi/check-value.ts";
import { currentWork } from "../session/session-context.ts";
import { splitChunk } from "../turn/chunk-event.ts";
import type { AgentCall } from "./agent-spec.ts";
import type { StopSwitch } from "./stop-switch.ts";
import type { Workbench } from "./workbench.ts";

/**
 * What an agent's function gets besides its session, and what the code inside it finds around itself. Its methods may be
 * taken off it.
 */
export class InvocationCall<Custom, Status> implements AgentCall<Custom, Status> {
  readonly sendChunk: (chunk: AgentChunk<Status>) => Promise<void>;
  readonly sendStatus: (status: Status) => Promise<void>;
  readonly context: AgentContext;
  readonly init: AgentInit<Custom>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly telemetry: Telemetry;
  readonly depth: number;
  readonly keepSoFar: () => void;
  readonly #stop: StopSwitch;

  constructor(bench: Workbench<Custom, Status>, init: AgentInit<Custom>) {
    const { spec, emitter, stop, context, live } = bench;
    const send = (chunk: AgentChunk<Status>): Promise<void> => emitter.send(chunk);
    const refuse = (error: unknown): Promise<never> => emitter.break(error);
    this.context = context;
    this.init = init;
    this.clock = bench.clock;
    this.ids = bench.ids;
    this.telemetry = bench.telemetry;
    const outer = currentWork();
    this.depth = outer === undefined ? 0 : outer.around.depth + 1;
    this.keepSoFar = () => live.keepSoFar();
    this.#stop = stop;
    this.sendChunk = (chunk) => {
      if (!isChunk(chunk)) return refuse(noChunk());
      if (chunk.turnEnd !== undefined) return refuse(notYours());
      const parts = splitChunk(chunk);
      // Most chunks have one field, and they are many.
      const [first] = parts;
      return parts.length === 1 && first !== undefined ? send(first) : allOf(parts.map(send));
    };
    this.sendStatus = (status) => {
      try {
        return send({ status: checkMade(spec.statusSchema, status, `status of agent '${spec.name}'`) });
      } catch (error) {
        return refuse(error);
      }
    };
  }

  get abortSignal(): AbortSignal {
    return this.#stop.signal;
  }
}

/** Like each of them, it need not be awaited. */
function allOf(sent: readonly Promise<void>[]): Promise<void> {
  const all = Promise.all(sent).then(() => {});
  all.catch(() => {});
  return all;
}

function isChunk(chunk: AgentChunk): boolean {
  if (typeof chunk !== "object" || chunk === null) return false;
  return chunk.modelChunk === undefined || Array.isArray(chunk.modelChunk?.content);
}

function noChunk(): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    "sendChunk was given what is no chunk: it is an object, and its modelChunk has a list of parts as its content.",
  );
}

function notYours(): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    "sendChunk was given a turnEnd; the runtime sends it when the turn is stored.",
  );
}
