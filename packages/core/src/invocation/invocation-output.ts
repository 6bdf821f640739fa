import type { AgentOutput, AgentResult, FinishReason, SessionState, Usage } from "@agents/schema/agent";
import type { WireError } from "@agents/schema/error";
import type { State } from "../state/state.ts";
import { type BoundTransform, shownArtifacts } from "./client-transform.ts";
import type { TurnRecorder } from "./turn-recorder.ts";

export interface InvocationEnd<Custom, Status> {
  readonly recorder: Pick<TurnRecorder<Custom>, "snapshots" | "lastStored">;
  readonly sessionId: string;
  readonly transform: BoundTransform<Custom, Status>;
  /** The state at the end: artifacts of the result are seen as part of it. */
  readonly state: State<Custom>;
  readonly finishReason: FinishReason;
  readonly result: AgentResult | undefined;
  readonly error: WireError | undefined;
  readonly usage: Usage;
}

/** What the client gets, after its transforms. Rejects with what a transform throws: then nothing leaves. */
export async function invocationOutput<Custom, Status>(
  end: InvocationEnd<Custom, Status>,
): Promise<AgentOutput<Custom>> {
  const { recorder, sessionId, transform, finishReason, result, error, usage } = end;
  const { snapshots } = recorder;
  const output: AgentOutput<Custom> = { sessionId, finishReason };
  if (result?.message !== undefined) {
    const message = transform.message === undefined ? result.message : await transform.message(result.message);
    if (message !== undefined) output.message = message;
  }
  if (result?.artifacts !== undefined) {
    const artifacts = await shownArtifacts(transform, result.artifacts, end.state.value as SessionState<Custom>);
    if (artifacts !== undefined) output.artifacts = [...artifacts];
  }
  if (error !== undefined) output.error = error;
  if (Object.keys(usage).length > 0) output.usage = usage;
  if (snapshots !== undefined) {
    if (snapshots.last !== undefined) output.snapshotId = snapshots.last;
    output.snapshotIds = [...snapshots.made];
    return output;
  }
  const state = recorder.lastStored?.value as SessionState<Custom>;
  const carried = transform.state === undefined ? state : await transform.state(state);
  if (carried !== undefined) output.state = carried;
  return output;
}
