import type { Message, ModelChunk } from "@agents/schema/agent";
import type { Model, ModelCall, ModelRequest, ModelResponse } from "@agents/schema/port";
import { answerTools } from "./answer-tools.ts";
import { chooseTool } from "./choose-tool.ts";
import { planFor } from "./plan-for.ts";
import { waitFor } from "./wait-for.ts";

export interface DemoModelOptions {
  /** Pause before each word, in milliseconds. @default 25 */
  readonly wordMs?: number;
}

/**
 * A model that needs no key and no network: it understands a few phrases, calls the tools that go with them, and says what
 * they answered. It is a model like any other to the rest of the app, slow words and all.
 */
export function createDemoModel({ wordMs = 25 }: DemoModelOptions = {}): Model {
  return {
    name: "demo",
    async generate(request, call) {
      const reply = replyTo(request);
      await speak(reply, call, wordMs);
      const inputTokens = countTokens(request.messages);
      const outputTokens = countTokens([reply.message]);
      return { ...reply, usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } };
    },
  };
}

function replyTo(request: ModelRequest): ModelResponse {
  const { messages, outputSchema, tools = [], toolChoice } = request;
  const last = messages.at(-1);
  if (outputSchema !== undefined) return says(JSON.stringify(planFor(textOf(last))));
  if (last?.role === "tool") return says(answerTools(last));
  const chosen = toolChoice === "none" ? undefined : chooseTool(textOf(last), tools);
  if (chosen !== undefined) {
    return { message: { role: "model", content: [{ toolRequest: chosen }] }, finishReason: "stop" };
  }
  return says(talk(request));
}

/** What it says where no tool helps: a system message may have given it a task in plain words. */
function talk({ messages, tools = [] }: ModelRequest): string {
  const system = textOf(messages.find(({ role }) => role === "system"));
  const asked = textOf(messages.findLast(({ role }) => role === "user"));
  if (/^Answer/.test(system))
    return `In short: ${asked.replace(/[?.!]+$/, "")} depends on where you stand, and the usual answer is "it depends, but less than one thinks".`;
  if (/^Write/.test(system))
    return `${asked.split("\n")[0]} What was found fits together: each answer leans on the one before, and none contradicts another. So much for the demo model; a real one would have said more.`;
  const can = tools.map(({ name, description }) => `- ${name}: ${description ?? ""}`).join("\n");
  return can === "" ? `You said: ${asked}` : `I am the demo model. You said: ${asked}\nThings I can do here:\n${can}`;
}

async function speak({ message }: ModelResponse, { signal, sendChunk }: ModelCall, wordMs: number): Promise<void> {
  if (sendChunk === undefined) return;
  const text = textOf(message);
  for (const word of text.match(/\S+\s*/g) ?? []) {
    await waitFor(wordMs, signal);
    const chunk: ModelChunk = { role: "model", content: [{ text: word }] };
    await sendChunk(chunk);
  }
}

function says(text: string): ModelResponse {
  return { message: { role: "model", content: [{ text }] }, finishReason: "stop" };
}

export function textOf(message: Message | undefined): string {
  return (message?.content ?? []).map(({ text = "" }) => text).join("");
}

function countTokens(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0) / 4);
}
