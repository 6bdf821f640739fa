import type { AgentChunk, Snapshot } from "@agents/schema/agent";
import type { AgentApi } from "@agents/schema/port";
import type { Captures } from "./captures.ts";
import type { AbortStep, ExpectedSnapshot, FollowStep, ListStep, ReadStep, Step, WaitStep } from "./case-file.ts";
import { describeError } from "./describe-error.ts";
import { type Mismatch, mismatches, mismatchesOfAll, mismatchesOfError } from "./match.ts";
import { runSend } from "./run-send.ts";
import type { StepModel } from "./step-model.ts";

export interface StepTools {
  readonly agent: AgentApi;
  readonly model: StepModel;
  readonly captures: Captures;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** Runs a step whose captures are filled in. What is not as expected is returned; what nobody expected is thrown. */
export async function runStep({ agent, model, captures }: StepTools, step: Step): Promise<Mismatch[]> {
  switch (step.type) {
    case "send":
      model.load(step);
      return runSend(agent, step, captures);
    case "getSnapshotData":
      return runRead(agent, step, captures);
    case "abort":
      return runAbort(agent, step);
    case "waitUntilCompleted":
      return runWait(agent, step);
    case "follow":
      return runFollow(agent, step);
    case "listSnapshots":
      return runList(agent, step);
  }
}

async function runRead(agent: AgentApi, step: ReadStep, captures: Captures): Promise<Mismatch[]> {
  const { snapshotId, sessionId, expectError } = step;
  let snapshot: Snapshot;
  try {
    snapshot =
      snapshotId === undefined
        ? await agent.getLatestSnapshot(sessionId ?? "")
        : await agent.getSnapshot(snapshotId, sessionId === undefined ? {} : { sessionId });
  } catch (error) {
    return compareThrown(expectError, error);
  }
  if (expectError !== undefined) return [{ at: "error", expected: expectError, actual: snapshot }];
  if (step.captureSnapshotId !== undefined) captures.set(step.captureSnapshotId, snapshot.snapshotId);
  return compareSnapshot("snapshot", step.expectSnapshot ?? {}, snapshot);
}

async function runAbort(agent: AgentApi, { snapshotId, expectPreviousStatus }: AbortStep): Promise<Mismatch[]> {
  const { previousStatus } = await agent.abort(snapshotId);
  if (expectPreviousStatus === undefined) return [];
  return mismatches("previousStatus", expectPreviousStatus ?? undefined, previousStatus);
}

async function runWait(agent: AgentApi, step: WaitStep): Promise<Mismatch[]> {
  const { snapshotId, timeoutMs = DEFAULT_TIMEOUT_MS, expectSnapshot = {} } = step;
  return compareSnapshot("snapshot", expectSnapshot, await agent.waitForSnapshot(snapshotId, { timeoutMs }));
}

async function runFollow(agent: AgentApi, { snapshotId, expectChunks, expectError }: FollowStep): Promise<Mismatch[]> {
  const chunks: AgentChunk[] = [];
  try {
    for await (const frame of agent.follow(snapshotId)) if ("chunk" in frame) chunks.push(frame.chunk);
  } catch (error) {
    return compareThrown(expectError, error);
  }
  if (expectError !== undefined) return [{ at: "error", expected: expectError, actual: chunks }];
  return expectChunks === undefined ? [] : mismatchesOfAll("chunks", expectChunks, chunks);
}

async function runList(agent: AgentApi, { sessionId, expectSnapshots }: ListStep): Promise<Mismatch[]> {
  const { snapshots } = await agent.listSnapshots({ sessionId });
  if (snapshots.length !== expectSnapshots.length)
    return [{ at: "snapshots", expected: expectSnapshots, actual: snapshots }];
  return expectSnapshots.flatMap((expected, index) =>
    compareSnapshot(`snapshots/${index}`, expected, snapshots[index] as Snapshot),
  );
}

function compareSnapshot(at: string, expected: ExpectedSnapshot, snapshot: Snapshot): Mismatch[] {
  const found: Mismatch[] = [];
  const compare = (field: string, wanted: unknown, actual: unknown): void => {
    if (wanted !== undefined) found.push(...mismatches(`${at}/${field}`, wanted, actual));
  };
  compare("parentId", expected.parentId, snapshot.parentId ?? null);
  compare("status", expected.status, snapshot.status);
  compare("finishReason", expected.finishReason, snapshot.finishReason);
  compare("state", expected.stateContains, snapshot.state);
  compare("usage", expected.usage, snapshot.usage);
  compare("hasSessionId", expected.hasSessionId, (snapshot.sessionId ?? snapshot.state?.sessionId) !== undefined);
  found.push(...mismatchesOfError(`${at}/error`, expected.errorContains, snapshot.error));
  return found;
}

/** By status or by words. */
function compareThrown(expected: string | undefined, error: unknown): Mismatch[] {
  const { status, message } = describeError(error);
  const said = `${status}: ${message}`;
  return expected !== undefined && said.includes(expected) ? [] : [{ at: "error", expected, actual: said }];
}
