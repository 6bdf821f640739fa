import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { json, sse } from "./answers.ts";
import { REQUEST, type Recording } from "./recording.ts";

const HEAD = { id: "chatcmpl-1", model: "gpt-x" };
const USAGE = {
  prompt_tokens: 57,
  completion_tokens: 80,
  total_tokens: 137,
  prompt_tokens_details: { cached_tokens: 32 },
  completion_tokens_details: { reasoning_tokens: 21 },
};

function chunk(delta: object, finish_reason: string | null = null): object {
  return { ...HEAD, choices: [{ delta, finish_reason }] };
}

function call(index: number, fields: object, args: string): object {
  return chunk({
    tool_calls: [{ index, ...fields, function: { ...(fields as { function?: object }).function, arguments: args } }],
  });
}

export const openaiCompatible: Recording = {
  provider: "openai-compatible",
  model: ({ url, fetch }) =>
    createOpenAICompatible({
      name: "local",
      baseURL: `${url}/v1`,
      apiKey: "key-1",
      includeUsage: true,
      supportsStructuredOutputs: true,
      fetch,
    })("gpt-x"),
  request: REQUEST,
  streamed: sse([
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "Two cities," }),
    chunk({ reasoning_content: " two calls. 🤔" }),
    chunk({ content: "Ich sehe nach: Köln " }),
    chunk({ content: "🌧 & Paris.\n" }),
    call(0, { id: "call_a", type: "function", function: { name: "weather" } }, ""),
    call(0, {}, '{"city":'),
    call(0, {}, '"Köln"}'),
    call(1, { id: "call_b", type: "function", function: { name: "weather" } }, '{"city":"Pa'),
    call(1, {}, 'ris"}'),
    chunk({}, "tool_calls"),
    { ...HEAD, choices: [], usage: USAGE },
    "[DONE]",
  ]),
  whole: json({
    ...HEAD,
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          reasoning_content: "Two cities, two calls. 🤔",
          content: "Ich sehe nach: Köln 🌧 & Paris.\n",
          tool_calls: [
            { id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Köln"}' } },
            { id: "call_b", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
          ],
        },
      },
    ],
    usage: USAGE,
  }),
  expected: {
    message: {
      role: "model",
      content: [
        { reasoning: "Two cities, two calls. 🤔" },
        { text: "Ich sehe nach: Köln 🌧 & Paris.\n" },
        { toolRequest: { name: "weather", ref: "call_a", input: { city: "Köln" } } },
        { toolRequest: { name: "weather", ref: "call_b", input: { city: "Paris" } } },
      ],
    },
    finishReason: "stop",
    usage: { inputTokens: 57, outputTokens: 80, totalTokens: 137, cachedInputTokens: 32, reasoningTokens: 21 },
  },
  short: sse([chunk({ content: "ok" }), chunk({}, "stop"), "[DONE]"]),
};

/** Chunks of a stream in which the model says this, for tests that need another stream. */
export const openaiChunk = chunk;
