import { createAnthropic } from "@ai-sdk/anthropic";
import { json, sse } from "./answers.ts";
import { REQUEST, type Recording } from "./recording.ts";

const INPUT_USAGE = { input_tokens: 25, cache_creation_input_tokens: 10, cache_read_input_tokens: 40 };
const HEAD = { id: "msg_1", type: "message", role: "assistant", model: "claude-x" };

function start(index: number, content_block: object): object {
  return { type: "content_block_start", index, content_block };
}

function delta(index: number, change: object): object {
  return { type: "content_block_delta", index, delta: change };
}

function stop(index: number): object {
  return { type: "content_block_stop", index };
}

const OPENING = {
  type: "message_start",
  message: { ...HEAD, content: [], usage: { ...INPUT_USAGE, output_tokens: 1 } },
};

function closing(stop_reason: string): object[] {
  return [
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 90 } },
    { type: "message_stop" },
  ];
}

export const anthropic: Recording = {
  provider: "anthropic",
  model: ({ url, fetch }) => createAnthropic({ baseURL: url, apiKey: "key-1", fetch })("claude-x"),
  request: REQUEST,
  streamed: sse(
    [
      OPENING,
      start(0, { type: "thinking", thinking: "", signature: "" }),
      { type: "ping" },
      delta(0, { type: "thinking_delta", thinking: "Two cities," }),
      delta(0, { type: "thinking_delta", thinking: " two calls. 🤔" }),
      delta(0, { type: "signature_delta", signature: "c2ln" }),
      stop(0),
      start(1, { type: "redacted_thinking", data: "aGlkZGVu" }),
      stop(1),
      start(2, { type: "text", text: "" }),
      delta(2, { type: "text_delta", text: "Ich sehe nach: Köln " }),
      delta(2, { type: "text_delta", text: "🌧 & Paris.\n" }),
      stop(2),
      start(3, { type: "tool_use", id: "toolu_a", name: "weather", input: {} }),
      delta(3, { type: "input_json_delta", partial_json: "" }),
      delta(3, { type: "input_json_delta", partial_json: '{"city": "K' }),
      delta(3, { type: "input_json_delta", partial_json: 'öln"}' }),
      stop(3),
      start(4, { type: "tool_use", id: "toolu_b", name: "weather", input: {} }),
      delta(4, { type: "input_json_delta", partial_json: '{"city": "Paris"}' }),
      stop(4),
      ...closing("tool_use"),
    ],
    { named: true },
  ),
  whole: json({
    ...HEAD,
    content: [
      { type: "thinking", thinking: "Two cities, two calls. 🤔", signature: "c2ln" },
      { type: "redacted_thinking", data: "aGlkZGVu" },
      { type: "text", text: "Ich sehe nach: Köln 🌧 & Paris.\n" },
      { type: "tool_use", id: "toolu_a", name: "weather", input: { city: "Köln" } },
      { type: "tool_use", id: "toolu_b", name: "weather", input: { city: "Paris" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { ...INPUT_USAGE, output_tokens: 90 },
  }),
  expected: {
    message: {
      role: "model",
      content: [
        {
          reasoning: "Two cities, two calls. 🤔",
          metadata: { providerMetadata: { anthropic: { signature: "c2ln" } } },
        },
        { reasoning: "", metadata: { providerMetadata: { anthropic: { redactedData: "aGlkZGVu" } } } },
        { text: "Ich sehe nach: Köln 🌧 & Paris.\n" },
        { toolRequest: { name: "weather", ref: "toolu_a", input: { city: "Köln" } } },
        { toolRequest: { name: "weather", ref: "toolu_b", input: { city: "Paris" } } },
      ],
    },
    finishReason: "stop",
    usage: { inputTokens: 75, outputTokens: 90, totalTokens: 165, cachedInputTokens: 40 },
  },
  short: sse(
    [
      OPENING,
      start(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "ok" }),
      stop(0),
      ...closing("end_turn"),
    ],
    { named: true },
  ),
};

/** For tests that need another stream. */
export const anthropicEvents = {
  opening: OPENING,
  text: (text: string, index = 0) => [
    start(index, { type: "text", text: "" }),
    delta(index, { type: "text_delta", text }),
    stop(index),
  ],
  toolUse: (name: string, input: string, index = 0) => [
    start(index, { type: "tool_use", id: `toolu_${index}`, name, input: {} }),
    delta(index, { type: "input_json_delta", partial_json: input }),
    stop(index),
  ],
  closing,
};
