import type { AgentInput, AgentOutput, AgentResult } from "@agents/schema/agent";
import type { AgentSession } from "../session/agent-session.ts";
import { type Surroundings, withSession } from "../session/session-context.ts";
import { measureOperation } from "../telemetry/measure-operation.ts";
import { admitResult } from "./admit-result.ts";
import { InvocationCall } from "./agent-call.ts";
import { describeEnd, failedOutput, finalOutput, operationAttributes, type Running } from "./describe-end.ts";
import type { InvocationOptions } from "./invocation-options.ts";
import { SessionSurface } from "./session-surface.ts";
import { setUp } from "./set-up.ts";
import { wantsSnapshot } from "./snapshot-policy.ts";
import { StartRefused } from "./turn-recorder.ts";
import { TurnRunner } from "./turn-runner.ts";
import { TurnSettler } from "./turn-settler.ts";
import type { Workbench } from "./workbench.ts";

/**
 * One connection to an agent, from its first input to its output. Rejects only for calls that were wrong: the invocation
 * never started. Whatever fails later is an output with `finishReason: "failed"`.
 */
export function runInvocation<Custom, Status>(
  options: InvocationOptions<Custom, Status>,
): Promise<AgentOutput<Custom>> {
  const first = options.inbox.take();
  return first === undefined ? options.inbox.next().then((input) => runWith(input, options)) : runWith(first, options);
}

function runWith<Custom, Status>(
  first: AgentInput | undefined,
  options: InvocationOptions<Custom, Status>,
): Promise<AgentOutput<Custom>> {
  const { spec, clock, telemetry } = options;
  const bench = setUp(options);
  if (first === undefined) {
    const nothing = { finishReason: "other", usage: {}, result: undefined, error: undefined } as const;
    return finalOutput({ options, bench }, nothing).catch((unshowable: unknown) =>
      failedOutput({ options, bench }, { usage: {}, unshowable }),
    );
  }
  const attributes = operationAttributes(spec.name);
  return measureOperation({ telemetry, clock, span: `agent ${spec.name}`, attributes }, (span) =>
    runFrom(first, { options, bench, span }),
  );
}

async function runFrom<Custom, Status>(
  first: AgentInput,
  running: Running<Custom, Status>,
): Promise<AgentOutput<Custom>> {
  const { options, bench, span } = running;
  const { live, recorder, emitter } = bench;
  const settler = new TurnSettler(bench);
  const turns = new TurnRunner(bench, settler);
  const session = new SessionSurface(live, settler, turns);
  const call = new InvocationCall(bench, options.init);
  const current = {
    session: session as unknown as AgentSession,
    turn: undefined,
    around: call as unknown as Surroundings,
  };
  let result: AgentResult | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    await turns.beginFirst(first, current);
    span.setAttributes({ "agent.session.id": recorder.sessionId });
    const work = withSession(current, () => Promise.resolve(options.spec.run(session, call)));
    const returned = await untilDone(work, { bench, turns, settler });
    result = returned == null ? session.result() : admitResult(returned, live.state);
    if (!turns.isDone) await turns.finish();
    if (emitter.isBusy) await emitter.idle();
    emitter.throwIfBroken();
    if (wantsEnd(bench, settler)) await turns.saveEnd();
  } catch (error) {
    if (error instanceof StartRefused && error.thrown) throw error.error;
    failure = { error: error instanceof StartRefused ? error.error : error };
    await turns.finish(failure).catch((late: unknown) => {
      failure = { error: late };
    });
    if (emitter.isBusy) await emitter.idle();
  } finally {
    live.end();
  }
  return await describeEnd(running, { settler, result, failure });
}

interface Parts<Custom, Status> {
  readonly bench: Workbench<Custom, Status>;
  readonly turns: TurnRunner<Custom, Status>;
  readonly settler: TurnSettler<Custom, Status>;
}

/**
 * A turn in flight ends with the stop, whatever the function does. A turn that was being stored when the stop came may
 * have made it: then, and between turns, nothing was stopped, and the function is waited for.
 */
function untilDone<T, Custom, Status>(work: Promise<T>, { bench, turns, settler }: Parts<Custom, Status>): Promise<T> {
  return bench.stop.race(work, async (error) => {
    await turns.paused();
    const { finishReason } = settler.last ?? { finishReason: "aborted" };
    if (!turns.isIdle || finishReason === "aborted" || finishReason === "failed") throw error;
    return await work;
  });
}

/** Whether what changed after the last turn gets a row of its own. */
function wantsEnd<Custom, Status>(
  { spec, recorder, live, stop }: Workbench<Custom, Status>,
  { last }: TurnSettler<Custom, Status>,
): boolean {
  const { state } = live;
  const previous = recorder.lastStored;
  if (recorder.snapshots === undefined || stop.cause !== undefined || state === previous) return false;
  return wantsSnapshot(spec.snapshot, { event: "invocationEnd", state, previous, turnIndex: last?.turnIndex ?? 0 });
}
