import { type AgentInit, type AgentInput, type AgentOutput, parseWire, SnapshotIdSchema } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { PositionedChunk, TurnOptions } from "@agents/schema/port";
import type { BidiConnection } from "../bidi/bidi-connection.ts";
import { type ConnectionServer, openConnection } from "../bidi/open-connection.ts";
import { DetachSwitch } from "../invocation/detach-switch.ts";
import { Inbox } from "../invocation/inbox.ts";
import { runInvocation } from "../invocation/run-invocation.ts";
import { StopSwitch } from "../invocation/stop-switch.ts";
import { type Claimed, claimTurn } from "../turn/claim-turn.ts";
import { acceptInput } from "./accept-input.ts";
import type { AgentCore } from "./agent-core.ts";
import { checkInit } from "./check-init.ts";
import { FirstTurn } from "./first-turn.ts";

export interface Invocation<Custom, Status> {
  readonly connection: BidiConnection<AgentInput, PositionedChunk<Status>, AgentOutput<Custom>>;
  readonly firstTurn: FirstTurn;
}

export interface StartOptions<Custom> {
  /** The one input. Where it is not named, inputs are sent to the connection. */
  readonly input?: AgentInput;
  /** Instead of an input: the turn of a worker that is gone. */
  readonly retry?: string;
  /** Runs before the output is given out. */
  readonly onOutput?: (output: AgentOutput<Custom>) => Promise<void>;
}

type Server<Custom, Status> = ConnectionServer<AgentInput, PositionedChunk<Status>, AgentOutput<Custom>>;

/** Most inputs, and most chunks, that wait for their reader before senders wait. */
const CAPACITY = 64;

/** Opens a connection to the agent. Never throws: what is wrong with the call is what its output rejects with. */
export function startInvocation<Custom, Status>(
  core: AgentCore<Custom, Status>,
  options: TurnOptions<Custom>,
  start: StartOptions<Custom> = {},
): Invocation<Custom, Status> {
  const { input, retry, onOutput } = start;
  const { context = {}, signal, onTurn } = options;
  const { runtime, spec, stored } = core;
  const { clock, ids, telemetry } = runtime;
  let server: Server<Custom, Status> | undefined;
  // Whoever stopped the turn does not wait for its reader, and neither does the turn.
  const stop = new StopSwitch(() => server?.relaxChunks());
  const firstTurn = new FirstTurn();
  // It never will have one: whoever asks before reading must not wait for the end.
  if (stored === undefined) firstTurn.is(undefined);
  let left = false;

  const detach = new DetachSwitch(({ sessionId, snapshotId }) => {
    left = true;
    const output = { sessionId, snapshotId, finishReason: "detached" } as const;
    void onOutput?.(output);
    server?.answerEarly(output);
  });
  /** A wish to leave counts from here on, ahead of inputs that are queued. */
  const onQueued = (queued: AgentInput): void => {
    if (queued.detach === true) detach.request();
  };

  async function serve(given: Server<Custom, Status>): Promise<AgentOutput<Custom>> {
    server = given;
    if (core.readiness?.isKnown === false) await core.readiness.check(context);
    const caller = runtime.callerOf(context);
    const claimed = "retry" in start ? await claimTurn(deskOf(core), caller, checkedTurn(retry)) : undefined;
    const { init, inbox } = claimed === undefined ? startOf(given.inputs) : startOfClaimed<Custom>(claimed);
    const output = await runInvocation<Custom, Status>({
      spec,
      stored,
      clock,
      ids,
      telemetry,
      context,
      caller,
      init,
      inbox,
      claimed,
      sendChunk: given.sendChunk,
      stop,
      detach,
      onTurn(snapshotId) {
        firstTurn.is(snapshotId);
        onTurn?.(snapshotId);
      },
    });
    if (onOutput !== undefined && !left) await onOutput(output);
    return output;
  }

  function startOf(inputs: AsyncIterable<AgentInput>): Start<Custom> {
    const init = checkInit(core, options);
    if (!("input" in start)) return { init, inbox: new Inbox(undefined, inputs) };
    // Also one that a caller without types forgot: there will be no other.
    const accepted = acceptInput(core, input as AgentInput);
    onQueued(accepted);
    return { init, inbox: new Inbox(accepted, undefined) };
  }

  const connection = openConnection<AgentInput, AgentInput, PositionedChunk<Status>, AgentOutput<Custom>>({
    what: `agent '${spec.name}'`,
    capacity: CAPACITY,
    acceptInput: (given) => acceptInput(core, given),
    onQueued,
    onCancel: (reason) => stop.stop({ ending: "aborted", error: cancelled(reason) }),
    onComplete: () => firstTurn.is(undefined),
    serve,
    ...(signal === undefined ? {} : { signal }),
  });
  if ("input" in start || "retry" in start) connection.close();
  return { connection, firstTurn };
}

interface Start<Custom> {
  readonly init: AgentInit<Custom>;
  readonly inbox: Inbox;
}

function startOfClaimed<Custom>({ lease, input }: Claimed): Start<Custom> {
  return { init: { sessionId: lease.sessionId }, inbox: new Inbox(JSON.parse(input) as AgentInput, undefined) };
}

function checkedTurn(given: string | undefined): string {
  return parseWire(SnapshotIdSchema, given, { what: "snapshotId of retry" });
}

function deskOf<Custom, Status>({ stored, spec }: AgentCore<Custom, Status>) {
  if (stored !== undefined) return stored.desk;
  throw new AgentError("FAILED_PRECONDITION", `Cannot retry a turn of agent '${spec.name}': it has no store.`);
}

function cancelled(reason: unknown): AgentError {
  if (AgentError.is(reason)) return reason;
  return new AgentError("CANCELLED", "The caller cancelled the invocation.", { cause: reason });
}
