import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { json, sse } from "./answers.ts";
import { REQUEST, type Recording } from "./recording.ts";

const USAGE = {
  promptTokenCount: 60,
  cachedContentTokenCount: 48,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 12,
  totalTokenCount: 102,
};

function event(parts: readonly object[], more: object = {}, usage: object = {}): object {
  return { candidates: [{ content: { role: "model", parts }, index: 0, ...more }], ...usage, modelVersion: "gemini-x" };
}

const CALLS = [
  { functionCall: { id: "fc_a", name: "weather", args: { city: "Köln" } }, thoughtSignature: "dGhvdWdodA==" },
  { functionCall: { id: "fc_b", name: "weather", args: { city: "Paris" } } },
];

export const google: Recording = {
  provider: "google",
  model: ({ url, fetch }) => createGoogleGenerativeAI({ baseURL: url, apiKey: "key-1", fetch })("gemini-x"),
  request: REQUEST,
  streamed: sse([
    event([{ text: "Two cities,", thought: true }]),
    event([{ text: " two calls. 🤔", thought: true }]),
    event([{ text: "Ich sehe nach: Köln " }]),
    event([{ text: "🌧 & Paris.\n" }], {}, { usageMetadata: { ...USAGE, candidatesTokenCount: 9 } }),
    event(CALLS, { finishReason: "STOP" }, { usageMetadata: USAGE }),
  ]),
  whole: json(
    event(
      [{ text: "Two cities, two calls. 🤔", thought: true }, { text: "Ich sehe nach: Köln 🌧 & Paris.\n" }, ...CALLS],
      { finishReason: "STOP" },
      { usageMetadata: USAGE },
    ),
  ),
  expected: {
    message: {
      role: "model",
      content: [
        { reasoning: "Two cities, two calls. 🤔" },
        { text: "Ich sehe nach: Köln 🌧 & Paris.\n" },
        {
          toolRequest: { name: "weather", ref: "fc_a", input: { city: "Köln" } },
          metadata: { providerMetadata: { google: { thoughtSignature: "dGhvdWdodA==" } } },
        },
        { toolRequest: { name: "weather", ref: "fc_b", input: { city: "Paris" } } },
      ],
    },
    finishReason: "stop",
    usage: { inputTokens: 60, outputTokens: 42, totalTokens: 102, cachedInputTokens: 48, reasoningTokens: 12 },
  },
  short: sse([event([{ text: "ok" }], { finishReason: "STOP" })]),
};

export const googleEvent = event;
