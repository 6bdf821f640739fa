import type { AgentChunk, AgentInit, AgentInput, AgentOutput } from "@agents/schema/agent";
import type { AgentApi } from "@agents/schema/port";
import type { Captures } from "./captures.ts";
import type { ExpectedOutput, SendStep } from "./case-file.ts";
import { describeError, type ThrownError } from "./describe-error.ts";
import { type Mismatch, mismatches, mismatchesOfAll, mismatchesOfError } from "./match.ts";

/** Sends the step's inputs over one connection, and compares what came back. */
export async function runSend(agent: AgentApi, step: SendStep, captures: Captures): Promise<Mismatch[]> {
  const sent = await sendAll(agent, (step.init ?? {}) as AgentInit, step.inputs as readonly AgentInput[]);
  if ("thrown" in sent) return compareError(step, sent.thrown);
  const { output, chunks } = sent;
  if (step.expectError !== undefined) return [{ at: "error", expected: step.expectError, actual: output }];
  if (step.captureSnapshotId !== undefined) captures.set(step.captureSnapshotId, output.snapshotId);
  if (step.captureState !== undefined) captures.set(step.captureState, output.state);
  if (step.captureSessionId !== undefined) captures.set(step.captureSessionId, sessionOf(output));
  return [
    ...(step.expectChunks === undefined ? [] : mismatchesOfAll("chunks", step.expectChunks, chunks)),
    ...compareOutput(step.expectOutput ?? {}, output),
  ];
}

type Sent = { readonly output: AgentOutput; readonly chunks: readonly AgentChunk[] } | { readonly thrown: ThrownError };

async function sendAll(agent: AgentApi, init: AgentInit, inputs: readonly AgentInput[]): Promise<Sent> {
  const chunks: AgentChunk[] = [];
  const read = async (stream: AsyncIterable<AgentChunk>): Promise<void> => {
    for await (const chunk of stream) chunks.push(chunk);
  };
  try {
    const connection = agent.connect(init);
    let running = false;
    for (const input of inputs) {
      // A client leaves in the middle of a turn; whatever else it says, it says when the turn before has ended.
      if (running && !onlyDetaches(input)) await read(connection.receiveTurn());
      if (connection.done) break;
      await connection.send(input);
      running = true;
    }
    connection.close();
    await read(connection.receive());
    return { output: await connection.output(), chunks };
  } catch (error) {
    return { thrown: describeError(error) };
  }
}

function onlyDetaches({ detach, message, resume }: AgentInput): boolean {
  return detach === true && message === undefined && resume === undefined;
}

function compareError({ expectError }: SendStep, thrown: ThrownError): Mismatch[] {
  if (expectError === undefined) return [{ at: "error", expected: undefined, actual: thrown }];
  const { status, message } = expectError;
  return [
    ...(status === undefined || status === thrown.status
      ? []
      : [{ at: "error/status", expected: status, actual: thrown.status }]),
    ...(message === undefined || thrown.message.includes(message)
      ? []
      : [{ at: "error/message", expected: message, actual: thrown.message }]),
  ];
}

function compareOutput(expected: ExpectedOutput, output: AgentOutput): Mismatch[] {
  const found: Mismatch[] = [];
  const compare = (at: string, wanted: unknown, actual: unknown): void => {
    if (wanted !== undefined) found.push(...mismatches(`output/${at}`, wanted, actual));
  };
  compare("message", expected.message, output.message);
  compare("finishReason", expected.finishReason, output.finishReason);
  compare("state", expected.stateContains, output.state);
  compare("artifacts", expected.artifactsContain, output.artifacts);
  compare("usage", expected.usage, output.usage);
  compare("hasSnapshotId", expected.hasSnapshotId, output.snapshotId !== undefined);
  compare("hasSessionId", expected.hasSessionId, sessionOf(output) !== undefined);
  found.push(...mismatchesOfError("output/error", expected.errorContains, output.error));
  return found;
}

function sessionOf(output: AgentOutput): string | undefined {
  return output.sessionId ?? output.state?.sessionId;
}
