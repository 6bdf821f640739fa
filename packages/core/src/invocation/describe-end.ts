import type { AgentOutput, AgentResult, FinishReason, Usage } from "@agents/schema/agent";
import type { Span } from "@agents/schema/port";
import { AGENT_OPERATION } from "../telemetry/measure-operation.ts";
import { shownError } from "./client-transform.ts";
import type { InvocationOptions } from "./invocation-options.ts";
import { type InvocationEnd, invocationOutput } from "./invocation-output.ts";
import type { LastTurn } from "./turn-settler.ts";
import type { Workbench } from "./workbench.ts";

export interface Running<Custom, Status> {
  readonly options: InvocationOptions<Custom, Status>;
  readonly bench: Workbench<Custom, Status>;
  readonly span: Span;
}

export interface End {
  readonly settler: { readonly last: LastTurn | undefined; readonly usage: Usage };
  readonly result: AgentResult | undefined;
  readonly failure: { readonly error: unknown } | undefined;
}

/** The output of an invocation that has begun. Never rejects. */
export async function describeEnd<Custom, Status>(
  running: Running<Custom, Status>,
  end: End,
): Promise<AgentOutput<Custom>> {
  const { options, bench, span } = running;
  const { transform, recorder, stop } = bench;
  const { settler, failure } = end;
  const finishReason = reasonOf(bench, end);
  const result = failure === undefined ? end.result : undefined;
  const thrown = failure && (await shownError(transform, stop.cause?.error ?? failure.error));
  const ofTurn = settler.last?.error;
  // A turn that had failed when somebody stopped the invocation: what is told agrees with its row.
  const told = stop.cause === undefined ? (thrown ?? ofTurn) : (ofTurn ?? thrown);
  const error = finishReason === "failed" ? told : undefined;
  const { usage } = settler;
  let output: AgentOutput<Custom>;
  try {
    output = await finalOutput(running, { finishReason, usage, result, error });
  } catch (unshowable) {
    output = await failedOutput(running, { usage, unshowable });
  }
  if (output.error !== undefined) countFailure(options, output.error.status);
  span.setAttributes({
    "gen_ai.response.finish_reasons": [output.finishReason],
    "agent.snapshot.id": recorder.snapshots?.last,
    "error.type": output.error?.status,
  });
  return output;
}

/** What callers are told agrees with the row of the turn that ended it. */
function reasonOf<Custom, Status>(
  { stop }: Workbench<Custom, Status>,
  { settler, result, failure }: End,
): FinishReason {
  const last = settler.last?.finishReason;
  if (failure === undefined) return result?.finishReason ?? last ?? "stop";
  if (last === "failed" || last === "aborted") return last;
  return stop.cause?.ending ?? "failed";
}

function countFailure<Custom, Status>({ telemetry, spec }: InvocationOptions<Custom, Status>, status: string): void {
  telemetry.count(AGENT_OPERATION.errorCount, 1, { ...operationAttributes(spec.name), "error.type": status });
}

/** Of the span and of every count of an agent's invocations. */
export function operationAttributes(agent: string) {
  return { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent };
}

type Ended<Custom, Status> = Omit<Running<Custom, Status>, "span">;
type EndWords<Custom, Status> = Pick<InvocationEnd<Custom, Status>, "finishReason" | "usage" | "result" | "error">;

/** What is told instead of an output that could not be shown: why, and where the session goes on from. Never rejects. */
export async function failedOutput<Custom, Status>(
  ended: Ended<Custom, Status>,
  { usage, unshowable }: { usage: Usage; unshowable: unknown },
): Promise<AgentOutput<Custom>> {
  const error = await shownError(ended.bench.transform, unshowable);
  const failed = { finishReason: "failed", usage, result: undefined, error } as const;
  return finalOutput(ended, failed).catch(() => ({ sessionId: sessionOf(ended), finishReason: "failed", error }));
}

/** The output after its transforms. Rejects with what one of them throws. */
export function finalOutput<Custom, Status>(
  ended: Ended<Custom, Status>,
  { finishReason, usage, result, error }: EndWords<Custom, Status>,
): Promise<AgentOutput<Custom>> {
  const { recorder, transform, live } = ended.bench;
  const { state } = live;
  return invocationOutput({
    recorder,
    sessionId: sessionOf(ended),
    transform,
    state,
    finishReason,
    usage,
    result,
    error,
  });
}

/** A branch from a snapshot that does not exist has no session; clients still get an id that they can send to. */
function sessionOf<Custom, Status>({ bench, options }: Ended<Custom, Status>): string {
  return bench.recorder.sessionId ?? options.init.sessionId ?? options.ids.uuid();
}
