import type { ModelResponse } from "@agents/schema/port";
import { createAnthropic } from "@ai-sdk/anthropic";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, json, sse, whole } from "../test/answers.ts";
import { anthropic, anthropicEvents } from "../test/anthropic.ts";
import { google, googleEvent } from "../test/google.ts";
import { openaiChunk, openaiCompatible } from "../test/openai-compatible.ts";
import { type ProviderServer, startProviderServer } from "../test/provider-server.ts";
import type { Recording } from "../test/recording.ts";
import { ask, stream } from "../test/stream.ts";
import { createAiSdkModel } from "./index.ts";

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

async function answerOf(recording: Recording, body: Body): Promise<ModelResponse> {
  server.answer(whole(body));
  const model = createAiSdkModel(recording.model(server));
  if (body.contentType === "application/json") return await ask(model, recording.request);
  return (await stream(model, recording.request)).response;
}

const { opening, closing, text, toolUse } = anthropicEvents;

function toolCall(args: string, index = 0): object {
  return openaiChunk({ tool_calls: [{ index, id: `call_${index}`, function: { name: "weather", arguments: args } }] });
}

describe("the input of a tool that is not JSON", () => {
  const CUT = '{"city": "Par';
  const expected = {
    toolRequest: { name: "weather", input: CUT },
    metadata: { malformedInput: expect.stringMatching(/JSON|string/) },
  };

  it.each([
    ["openai-compatible", openaiCompatible, sse([toolCall(CUT), openaiChunk({}, "length"), "[DONE]"])],
    [
      "openai-compatible, whole",
      openaiCompatible,
      json({
        choices: [
          {
            message: { tool_calls: [{ id: "call_0", function: { name: "weather", arguments: CUT } }] },
            finish_reason: "length",
          },
        ],
      }),
    ],
    ["anthropic", anthropic, sse([opening, ...toolUse("weather", CUT), ...closing("max_tokens")], { named: true })],
  ])("is handed on as it is, with the reason (%s)", async (_name, recording, body) => {
    const { message, finishReason } = await answerOf(recording, body);
    expect(message.content).toMatchObject([expected]);
    expect(finishReason).toBe("length");
  });

  it("goes back within an object, which all providers take, beside the tool's error", async () => {
    const { message } = await answerOf(openaiCompatible, sse([toolCall(CUT), openaiChunk({}, "stop")]));
    const ref = message.content[0]?.toolRequest?.ref;
    const error = { toolResponse: { name: "weather", ref, output: "not JSON" }, metadata: { isError: true } };
    const messages = [...openaiCompatible.request.messages, message, { role: "tool" as const, content: [error] }];
    for (const recording of [openaiCompatible, anthropic, google]) {
      server.answer(whole(recording.short));
      await stream(createAiSdkModel(recording.model(server)), { ...recording.request, messages } as never);
      expect(JSON.stringify(server.exchanges[0]?.body).replaceAll("\\", "")).toContain(
        '{"malformedInput":"{"city": "Par"}',
      );
    }
  });

  it("keeps its place among calls that were written to their end before it", async () => {
    const { message } = await answerOf(
      openaiCompatible,
      sse([toolCall(CUT, 0), toolCall('{"city":"Paris"}', 1), openaiChunk({}, "length")]),
    );
    expect(message.content.map(({ toolRequest }) => toolRequest?.ref)).toEqual(["call_0", "call_1"]);
  });

  it("is an empty object where the model wrote none", async () => {
    for (const [recording, body] of [
      [openaiCompatible, sse([toolCall(""), openaiChunk({}, "tool_calls")])],
      [anthropic, sse([opening, ...toolUse("weather", ""), ...closing("tool_use")], { named: true })],
    ] as const) {
      const { message } = await answerOf(recording, body);
      expect(message.content).toMatchObject([{ toolRequest: { name: "weather", input: {} } }]);
      expect(message.content[0]).not.toHaveProperty("metadata");
    }
  });
});

describe("finish reasons", () => {
  it.each([
    ["stop", openaiCompatible, sse([openaiChunk({ content: "x" }, "stop")])],
    ["length", openaiCompatible, sse([openaiChunk({ content: "x" }, "length")])],
    ["blocked", openaiCompatible, sse([openaiChunk({ content: "x" }, "content_filter")])],
    ["other", openaiCompatible, sse([openaiChunk({ content: "x" }, "tired")])],
    ["unknown", openaiCompatible, json({ choices: [{ message: { content: "x" } }] })],
    ["blocked", anthropic, sse([opening, ...text("x"), ...closing("refusal")], { named: true })],
    ["length", anthropic, sse([opening, ...text("x"), ...closing("max_tokens")], { named: true })],
    ["blocked", google, sse([googleEvent([{ text: "x" }], { finishReason: "SAFETY" })])],
    ["other", google, sse([googleEvent([{ text: "x" }], { finishReason: "OTHER" })])],
  ] as const)("are ours: %s (%#)", async (expected, recording, body) => {
    const { message, finishReason } = await answerOf(recording, body);
    expect(finishReason).toBe(expected);
    expect(message.content).toEqual([{ text: "x" }]);
  });

  it.each([
    ["stream", sse([googleEvent([], { finishReason: "MALFORMED_FUNCTION_CALL" })])],
    ["whole", json(googleEvent([], { finishReason: "MALFORMED_FUNCTION_CALL" }))],
  ])("that are errors are none: the call is UNAVAILABLE (%s)", async (_name, body) => {
    await expect(answerOf(google, body)).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining("MALFORMED_FUNCTION_CALL"),
    });
  });
});

describe("text", () => {
  it("whose characters are split between two events is whole", async () => {
    const body = String.raw`data: {"choices":[{"delta":{"content":"a\ud83d"}}]}

data: {"choices":[{"delta":{"content":"\ude00b"}}]}

data: {"choices":[{"delta":{"content":"\ud83d"},"finish_reason":"stop"}]}

`;
    server.answer(whole({ contentType: "text/event-stream", bytes: Buffer.from(body) }));
    const { response, chunks } = await stream(
      createAiSdkModel(openaiCompatible.model(server)),
      openaiCompatible.request,
    );
    expect(response.message.content).toEqual([{ text: "a😀b\ufffd" }]);
    expect(chunks.map(({ content }) => content[0]?.text)).toEqual(["a", "😀b", "\ufffd"]);
  });

  it("in the input of a tool has no half characters either", async () => {
    const { message } = await answerOf(
      openaiCompatible,
      sse([toolCall(String.raw`{"city":"\ud83d","ok":"\ud83d\ude00"}`), openaiChunk({}, "stop")]),
    );
    expect(message.content[0]?.toolRequest?.input).toEqual({ city: "\ufffd", ok: "😀" });
  });

  it("before and after a tool call stays in two parts, neighbours are one", async () => {
    const events = [opening, ...text("a", 0), ...text("b", 1), ...toolUse("weather", "{}", 2), ...text("c", 3)];
    const { message } = await answerOf(anthropic, sse([...events, ...closing("end_turn")], { named: true }));
    expect(message.content).toMatchObject([{ text: "ab" }, { toolRequest: { name: "weather" } }, { text: "c" }]);
  });
});

describe("tools that the provider runs itself", () => {
  const RESULT = {
    type: "web_search_result",
    url: "https://w.test",
    title: "W",
    encrypted_content: "ZW5j",
    page_age: null,
  };
  const blocks = [
    { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "rain" } },
    { type: "web_search_tool_result", tool_use_id: "srv_1", content: [RESULT] },
  ];
  const provider = (): ReturnType<typeof createAnthropic> =>
    createAnthropic({ baseURL: server.url, apiKey: "key-1", fetch: server.fetch });

  it("are offered, are no tool requests of ours, and go back as they came, to the provider they came from", async () => {
    const model = createAiSdkModel(provider()("claude-x"), {
      providerTools: { search: provider().tools.webSearch_20250305({ maxUses: 2 }) },
    });
    const streamed = sse(
      [
        opening,
        ...blocks.flatMap((content_block, index) => [
          { type: "content_block_start", index, content_block },
          { type: "content_block_stop", index },
        ]),
        ...text("Rain.", 2),
        ...closing("end_turn"),
      ],
      { named: true },
    );
    server.answer(whole(streamed));
    const { response } = await stream(model, anthropic.request);
    expect(server.exchanges[0]?.body.tools[1]).toMatchObject({
      type: "web_search_20250305",
      name: "web_search",
      max_uses: 2,
    });
    expect(response.message.content.some(({ toolRequest }) => toolRequest !== undefined)).toBe(false);
    expect(response.message.content).toMatchObject([
      { custom: { providerToolCall: { name: "search", ref: "srv_1", input: { query: "rain" } } } },
      { custom: { providerToolResult: { name: "search", ref: "srv_1" } } },
      { custom: { source: { sourceType: "url", url: "https://w.test", title: "W" } } },
      { text: "Rain." },
    ]);

    server.answer(
      whole(
        json({
          type: "message",
          content: [...blocks, { type: "text", text: "Rain." }],
          stop_reason: "end_turn",
          usage: { input_tokens: 25, output_tokens: 90 },
        }),
      ),
    );
    expect((await ask(model, anthropic.request)).message).toEqual(response.message);

    server.answer(whole(anthropic.short));
    const again = { role: "user" as const, content: [{ text: "Sure?" }] };
    await stream(model, { ...anthropic.request, messages: [...anthropic.request.messages, response.message, again] });
    expect(server.exchanges[0]?.body.messages[1].content).toMatchObject([...blocks, { type: "text", text: "Rain." }]);

    server.answer(whole(openaiCompatible.short));
    const messages = [...anthropic.request.messages, response.message, again];
    await stream(createAiSdkModel(openaiCompatible.model(server)), { messages });
    expect(server.exchanges[0]?.body.messages[2]).toEqual({ role: "assistant", content: "Rain." });
  });
});

describe("what a provider says of a whole answer", () => {
  it("is kept if wanted, and does not go back", async () => {
    const model = createAiSdkModel(anthropic.model(server), { keepAnswerMetadata: true });
    server.answer(whole(anthropic.streamed));
    const { response } = await stream(model, anthropic.request);
    expect(response.message.metadata).toMatchObject({
      providerMetadata: { anthropic: { cacheCreationInputTokens: 10 } },
    });
    expect(response.message.content).toEqual(anthropic.expected.message.content);

    const metadata = { providerMetadata: { openaiCompatible: { fingerprint: "fp_1" } } };
    const messages = [{ role: "model" as const, content: [{ text: "Hi." }], metadata }];
    server.answer(whole(openaiCompatible.short));
    await stream(createAiSdkModel(openaiCompatible.model(server)), { messages });
    expect(server.exchanges[0]?.body.messages).toEqual([{ role: "assistant", content: "Hi." }]);
  });
});
