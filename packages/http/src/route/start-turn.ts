import type { AgentInput } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { isPlainObject } from "@agents/schema/patch";
import type { AgentApi, AgentContext, AgentStream, PositionedChunk, TurnOptions } from "@agents/schema/port";
import type { Exchange } from "../edge/exchange.ts";
import { isRejoinable } from "./find-agent.ts";
import type { Envelope } from "./read-envelope.ts";
import type { Services } from "./services.ts";

/** A turn that was started for a client. */
export interface StartedTurn {
  readonly stream: AgentStream;
  readonly rejoinable: boolean;
  /** What it streams; to be read by one. */
  readonly chunks: AsyncIterator<PositionedChunk>;
  abort(reason: AgentError): void;
  /**
   * Nobody reads any more: the client has left, and the rules of absence say how long the turn goes on; or the server is
   * about to end, and the turn goes on for as long as it lets it.
   */
  leave(why: "client" | "shutdown"): void;
}

/** Starts a turn. What is wrong with the call is what the turn's output rejects with. */
export function startTurn(
  agent: AgentApi,
  { data, init }: Envelope,
  { context }: Pick<Exchange, "context">,
  { attendance, work }: Pick<Services, "attendance" | "work">,
): StartedTurn {
  // A signal costs more than all else that is done here, so it is made only where a turn cannot be aborted by its id.
  const controller = agent.metadata.abortable ? undefined : new AbortController();
  const stream = agent.stream(data as AgentInput, {
    ...startPoint(init),
    context,
    ...(controller === undefined ? {} : { signal: controller.signal }),
  });
  const rejoinable = isRejoinable(agent);
  const abort = (reason: AgentError): void => {
    if (controller !== undefined) controller.abort(reason);
    else void abortById(agent, stream, context);
  };
  let chunks: AsyncIterator<PositionedChunk> | undefined;
  let left = false;

  return {
    stream,
    rejoinable,
    abort,
    get chunks() {
      chunks ??= stream.positioned()[Symbol.asyncIterator]();
      return chunks;
    },
    leave(why) {
      if (left) return;
      left = true;
      void chunks?.return?.();
      // Reads what nobody reads any more, so that the turn does not wait for it.
      const over = stream.output();
      work.run({ over, abort });
      // Whoever asks to leave the work to itself has said what is to become of it.
      if (why === "shutdown" || (isPlainObject(data) && data["detach"] === true)) return;
      attendance.leave({ turnId: () => stream.turnId(), over, rejoinable, abort: () => abort(nobodyListens()) });
    },
  };
}

/** Also before it has begun: then as soon as it has. A store that is away leaves the turn to its lease. */
async function abortById(agent: AgentApi, stream: AgentStream, context: AgentContext): Promise<void> {
  const turnId = await stream.turnId();
  if (turnId !== undefined) await agent.abort(turnId, { context }).catch(() => {});
}

/** Only what names a start: a body must not set what else the options of a call have. */
export function startPoint(init: unknown): TurnOptions {
  if (init === undefined || init === null) return {};
  if (!isPlainObject(init)) throw new AgentError("INVALID_ARGUMENT", `The member "init" must be an object.`);
  const { sessionId, snapshotId, state } = init as TurnOptions;
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(snapshotId === undefined ? {} : { snapshotId }),
    ...(state === undefined ? {} : { state }),
  };
}

export function nobodyListens(): AgentError {
  return new AgentError("CANCELLED", "The client left, and nobody followed the turn.");
}
