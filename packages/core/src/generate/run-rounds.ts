import type { FinishReason, Message, Usage } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { ModelResponse } from "@agents/schema/port";
import { addUsage } from "../invocation/add-usage.ts";
import { assignRefs, refsOf } from "../tool/assign-refs.ts";
import { runTools } from "../tool/run-tools.ts";
import { toolRequestsOf } from "../tool/tool-message.ts";
import { askModel, usageOf } from "./ask-model.ts";
import type { Generation, Transcript } from "./generation.ts";
import { composeRound, type Round } from "./round.ts";
import { complaint, outputMisfit, readOutput } from "./structured-output.ts";

export interface RoundsEnd {
  /** The model message that the generation ends with. */
  readonly message: Message;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly output: unknown;
  readonly warnings: readonly string[];
}

interface Progress {
  /** Messages made so far: their places in the stream. */
  index: number;
  usage: Usage;
  warnings: string[];
}

/**
 * Asks the model, runs the tools it calls, and asks again, until it calls none, a call waits for a person, or it may not be
 * asked any more (RESOURCE_EXHAUSTED). A round enters the transcript when it is complete: what fails leaves nothing of it.
 *
 * @param startIndex Messages that were streamed before.
 */
export async function runRounds(generation: Generation, transcript: Transcript, startIndex = 0): Promise<RoundsEnd> {
  const { ids, maxTurns, returnToolRequests } = generation;
  const progress: Progress = { index: startIndex, usage: {}, warnings: [] };
  const taken = refsOf(transcript.read());
  for (let calls = 1; ; calls++) {
    const toolChoice = calls === 1 ? generation.toolChoice : undefined;
    const response = await ask(generation, progress, { history: transcript.read(), toolChoice });
    const message = assignRefs(response.message, taken, ids);
    const mustAnswer = toolRequestsOf(message).length > 0 && !returnToolRequests;
    if (!mustAnswer) return await finish(generation, { transcript, progress, response, message });
    if (calls >= maxTurns) throw tooManyTurns(maxTurns);
    const round = await answerTools(generation, message, progress);
    if (round.type === "waiting") {
      transcript.add(round.message);
      return end(progress, { message: round.message, finishReason: "interrupted", output: undefined });
    }
    transcript.add(round.message, round.answers);
  }
}

async function ask(
  generation: Generation,
  progress: Progress,
  { history, toolChoice }: { history: readonly Message[]; toolChoice: Generation["toolChoice"] },
): Promise<ModelResponse> {
  const response = await askModel(generation, { history, toolChoice, index: progress.index++ });
  progress.usage = addUsage(progress.usage, usageOf(response));
  progress.warnings.push(...(response.warnings ?? []));
  return response;
}

/** Runs the calls of a message. The answers are streamed once all are there. */
async function answerTools(generation: Generation, message: Message, progress: Progress): Promise<Round> {
  const { tools, signal } = generation;
  const starts = toolRequestsOf(message).map((part) => ({ part }));
  const round = composeRound(message, await runTools(tools, starts, signal));
  if (round.type === "answered") await sendAnswers(generation, round.answers, progress.index++);
  return round;
}

/** A tool message as one chunk. */
export async function sendAnswers(
  { tools }: Pick<Generation, "tools">,
  answers: Message,
  index: number,
): Promise<void> {
  await tools.sendChunk({ modelChunk: { index, role: "tool", content: answers.content } });
}

interface LastAnswer {
  readonly transcript: Transcript;
  readonly progress: Progress;
  readonly response: ModelResponse;
  readonly message: Message;
}

async function finish(
  generation: Generation,
  { transcript, progress, response, message }: LastAnswer,
): Promise<RoundsEnd> {
  const { outputSchema, model } = generation;
  const { finishReason } = response;
  // An answer that the model was not free to finish is told by its reason, not as a misfit.
  const isCut = finishReason === "length" || finishReason === "blocked";
  if (outputSchema === undefined || isCut || toolRequestsOf(message).length > 0) {
    transcript.add(message);
    return end(progress, { message, finishReason, output: undefined });
  }
  const first = readOutput(outputSchema, message);
  if (first.type === "fits") {
    transcript.add(message);
    return end(progress, { message, finishReason, output: first.output });
  }
  const history = [...transcript.read(), message, complaint(outputSchema, first.problem)];
  const toolChoice = generation.tools.tools.size > 0 ? "none" : undefined;
  const repaired = await ask(generation, progress, { history, toolChoice });
  const second = readOutput(outputSchema, repaired.message);
  if (second.type === "misfit") throw outputMisfit(model.name, second.problem, repaired.message);
  transcript.add(repaired.message);
  return end(progress, { message: repaired.message, finishReason: repaired.finishReason, output: second.output });
}

function end({ usage, warnings }: Progress, rest: Pick<RoundsEnd, "message" | "finishReason" | "output">): RoundsEnd {
  return { ...rest, usage, warnings };
}

function tooManyTurns(maxTurns: number): AgentError {
  return new AgentError(
    "RESOURCE_EXHAUSTED",
    `The model still called tools in answer ${maxTurns}, and may answer no more often. Raise maxTurns, or give it fewer reasons to.`,
    { details: { limit: "maxTurns", allowed: maxTurns } },
  );
}
