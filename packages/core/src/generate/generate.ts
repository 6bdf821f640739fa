import type { Message, ModelChunk, Part } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { systemClock } from "../clock/system-clock.ts";
import { systemIds } from "../clock/system-ids.ts";
import { withMiddleware } from "../model/model-middleware.ts";
import { type CurrentWork, currentWork } from "../session/session-context.ts";
import { importJson } from "../state/import-json.ts";
import { createOtelTelemetry } from "../telemetry/create-otel-telemetry.ts";
import type { ToolBench } from "../tool/run-tool.ts";
import { ToolSet } from "../tool/tool-set.ts";
import type { GenerateOptions } from "./generate-options.ts";
import { GenerateResponse } from "./generate-response.ts";
import type { Generation } from "./generation.ts";
import { resumeRound } from "./resume-round.ts";
import { type RoundsEnd, runRounds, sendAnswers } from "./run-rounds.ts";
import { validateResume } from "./validate-resume.ts";

export const DEFAULT_MAX_TURNS = 10;

/**
 * Asks a model, runs the tools it calls, and gives its answer. Inside an agent's turn it is part of that turn: it stops
 * with it, counts towards its limits, and shows up in its spans; history is the caller's to write. Outside of an agent it
 * works by itself.
 */
export function generate<Output = unknown>(options: GenerateOptions<Output>): Promise<GenerateResponse<Output>> {
  return generateWith(options, undefined);
}

/** @param sendChunk Takes pieces of answers and, whole, the answers of tools. */
export async function generateWith<Output>(
  options: GenerateOptions<Output>,
  sendChunk: ((chunk: ModelChunk) => Promise<void>) | undefined,
): Promise<GenerateResponse<Output>> {
  const messages: Message[] = [...importJson(conversationOf(options), "/messages")];
  const generation = generationFor(options, sendChunk);
  const transcript = { read: () => messages, add: (...added: readonly Message[]) => void messages.push(...added) };
  const early = options.resume && (await resumeAt(generation, messages, options));
  return new GenerateResponse(early ?? (await runRounds(generation, transcript, options.resume ? 1 : 0)), messages);
}

/** Undefined: every call is answered now, and the model goes on. */
async function resumeAt<Output>(
  generation: Generation,
  messages: Message[],
  { resume = {} }: GenerateOptions<Output>,
): Promise<RoundsEnd | undefined> {
  const plan = validateResume(messages, resume);
  const round = await resumeRound(generation.tools, plan, generation.signal);
  messages[plan.index] = round.message;
  if (round.type === "waiting")
    return { message: round.message, finishReason: "interrupted", usage: {}, output: undefined, warnings: [] };
  messages.splice(plan.index + 1, 0, round.answers);
  await sendAnswers(generation, round.answers, 0);
  return undefined;
}

function conversationOf<Output>({ messages = [], prompt, resume }: GenerateOptions<Output>): Message[] {
  const conversation =
    prompt === undefined ? [...messages] : [...messages, { role: "user" as const, content: parts(prompt) }];
  if (conversation.length > 0) return conversation;
  const missing = resume === undefined ? "a prompt or messages" : "the messages that it answers";
  throw new AgentError("INVALID_ARGUMENT", `There is nothing to generate from. Give ${missing}.`);
}

export function parts(content: string | readonly Part[]): Part[] {
  return typeof content === "string" ? [{ text: content }] : [...content];
}

function generationFor<Output>(
  options: GenerateOptions<Output>,
  sendChunk: ((chunk: ModelChunk) => Promise<void>) | undefined,
): Generation {
  const { model, use = [], system, output, maxTurns = DEFAULT_MAX_TURNS, returnToolRequests = false } = options;
  const work = currentWork();
  const before: Message[] = system === undefined ? [] : [{ role: "system", content: parts(system) }];
  return {
    model: withMiddleware(model, use),
    tools: toolBench(options, work, sendChunk),
    ids: work?.around.ids ?? systemIds,
    signal: options.abortSignal ?? work?.around.abortSignal ?? new AbortController().signal,
    sendChunk,
    turn: work?.turn,
    arrange: (history) => [...before, ...history],
    toolChoice: options.toolChoice,
    config: options.config,
    outputSchema: output?.schema,
    timeoutMs: options.timeoutMs,
    maxTurns,
    returnToolRequests,
  };
}

function toolBench<Output>(
  { tools = [], context }: GenerateOptions<Output>,
  work: CurrentWork | undefined,
  sendChunk: ((chunk: ModelChunk) => Promise<void>) | undefined,
): ToolBench {
  const around = work?.around;
  const toAgent = around?.sendChunk ?? (async () => {});
  return {
    tools: new ToolSet(tools),
    turnKey: work?.turn?.snapshotId ?? work?.session.sessionId ?? systemIds.uuid(),
    context: context ?? around?.context ?? {},
    clock: around?.clock ?? systemClock,
    telemetry: around?.telemetry ?? outsideOfAgents(),
    // Whoever reads the stream gets model chunks; what else a tool sends goes to those who follow the agent.
    sendChunk: (chunk) =>
      chunk.modelChunk === undefined ? toAgent(chunk) : (sendChunk?.(chunk.modelChunk) ?? Promise.resolve()),
  };
}

let telemetryOutside: ReturnType<typeof createOtelTelemetry> | undefined;
function outsideOfAgents() {
  telemetryOutside ??= createOtelTelemetry();
  return telemetryOutside;
}
