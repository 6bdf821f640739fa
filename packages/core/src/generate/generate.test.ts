import { AgentError } from "@agents/schema/error";
import { collect, createMemoryTelemetry, createScriptedModel, textReply } from "@agents/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, createWorld, model, user } from "../../test/agent-world.ts";
import { callsTools, glance } from "../../test/model-replies.ts";
import { defineTool, generate, generateStream } from "../index.ts";

const look = defineTool({ name: "look" }, () => "seen");
const wait = defineTool({ name: "wait", outputSchema: z.string() }, (_, { interrupt }) => interrupt({ for: "you" }));

describe("generate", () => {
  it("asks with system, conversation and prompt, runs tools, and gives everything of the answer", async () => {
    const reply = {
      response: {
        message: { role: "model" as const, content: [{ reasoning: "hm" }, { text: "a " }, { text: "b" }] },
        finishReason: "stop" as const,
        usage: { inputTokens: 3 },
        warnings: ["no temperature"],
      },
    };
    const scripted = createScriptedModel([callsTools({ name: "look", ref: "l" }), reply]);
    const response = await generate({
      model: scripted,
      system: "Be brief.",
      messages: [user("hi"), model("hello")],
      prompt: [{ text: "look" }],
      tools: [look],
      config: { temperature: 0 },
    });
    expect(scripted.requests[0]).toMatchObject({ config: { temperature: 0 }, tools: [{ name: "look" }] });
    expect(glance(scripted.requests[1]?.messages)).toEqual([
      "system: Be brief.",
      "user: hi",
      "model: hello",
      "user: look",
      "model: look#l({})",
      'tool: look#l="seen"',
    ]);
    expect(response).toMatchObject({
      text: "a b",
      reasoning: "hm",
      finishReason: "stop",
      warnings: ["no temperature"],
    });
    expect(response.usage).toEqual({ modelCalls: 2, inputTokens: 3 });
    expect(glance(response.messages)).toHaveLength(6);
    expect(response.toolRequests).toEqual([]);
  });

  it("hands tool calls to the caller where it wants to carry them out", async () => {
    const response = await generate({
      model: createScriptedModel([callsTools({ name: "look", ref: "l" })]),
      prompt: "go",
      tools: [look],
      returnToolRequests: true,
    });
    expect(response.toolRequests).toMatchObject([{ toolRequest: { name: "look", ref: "l" } }]);
    expect(response.interrupts).toEqual([]);
  });

  it("stops at an interrupt, and goes on with its answer", async () => {
    const scripted = createScriptedModel([callsTools({ name: "wait", ref: "w" }), textReply("done")]);
    const first = await generate({ model: scripted, prompt: "go", tools: [wait] });
    expect(first.finishReason).toBe("interrupted");
    expect(first.interrupts).toMatchObject([{ toolRequest: { ref: "w" }, metadata: { interrupt: { for: "you" } } }]);
    const second = await generate({
      model: scripted,
      messages: first.messages,
      tools: [wait],
      resume: { respond: [{ toolResponse: { name: "wait", ref: "w", output: "yes" } }] },
    });
    expect(second.text).toBe("done");
    expect(glance(second.messages)).toEqual(["user: go", "model: wait#w({})", 'tool: wait#w="yes"', "model: done"]);
  });

  it("frees the calls after the first from a choice that would be made for ever", async () => {
    const scripted = createScriptedModel([callsTools({ name: "look", ref: "l" }), textReply("done")]);
    await generate({ model: scripted, prompt: "go", tools: [look], toolChoice: "required" });
    expect(scripted.requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", undefined]);
  });

  it("rejects without anything to generate from", async () => {
    await expect(generate({ model: createScriptedModel([]) })).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
  });

  it("ends with its signal, whatever the model does", async () => {
    const gate = createGate();
    const controller = new AbortController();
    const deaf = { name: "deaf", generate: () => gate.wait() as Promise<never> };
    const response = generate({ model: deaf, prompt: "go", abortSignal: controller.signal });
    await gate.reached();
    controller.abort(new Error("enough"));
    await expect(response).rejects.toThrow("enough");
  });

  it("refuses what is no answer of a model", async () => {
    const odd = { name: "odd", generate: async () => ({ message: { role: "user", content: [] } }) as never };
    await expect(generate({ model: odd, prompt: "go" })).rejects.toMatchObject({
      status: "INTERNAL",
      message: expect.stringContaining("odd"),
    });
  });
});

describe("structured output", () => {
  const schema = z.object({ n: z.number() });
  const cut = { response: { message: model('{"n":'), finishReason: "length" as const } };

  it.each(['{"n":1}', 'Here you are:\n```json\n{"n":1}\n```\nBye.', '```\n{"n":1}\n```', '  {"n":1}\n'])(
    "is read from %j and checked",
    async (text) => {
      const scripted = createScriptedModel([textReply(text)]);
      const { output } = await generate({ model: scripted, prompt: "n?", output: { schema } });
      expect(output).toEqual({ n: 1 });
      expect(scripted.requests[0]?.outputSchema).toMatchObject({ properties: { n: { type: "number" } } });
    },
  );

  it.each(['{"n":"one"}', "one", "", "[1]"])(
    "is asked for once more when it was %j; history keeps the answer that fits",
    async (text) => {
      const scripted = createScriptedModel([textReply(text), textReply('{"n":1}')]);
      const response = await generate({ model: scripted, prompt: "n?", output: { schema } });
      expect(response.output).toEqual({ n: 1 });
      expect(scripted.requests[1]?.messages.at(-1)?.content[0]?.text).toMatch(/schema/);
      expect(glance(response.messages)).toEqual(["user: n?", 'model: {"n":1}']);
      expect(response.usage.modelCalls).toBe(2);
    },
  );

  it("is INTERNAL in words when it does not fit twice", async () => {
    const twice = generate({
      model: createScriptedModel([textReply("x"), textReply('{"n":"x"}')]),
      prompt: "n?",
      output: { schema },
    });
    await expect(twice).rejects.toMatchObject({
      status: "INTERNAL",
      message: expect.stringContaining("/n"),
      details: { text: '{"n":"x"}' },
    });
  });

  it("is absent where the answer was cut: the reason says so", async () => {
    const response = await generate({ model: createScriptedModel([cut]), prompt: "n?", output: { schema } });
    expect([response.output, response.finishReason]).toEqual([undefined, "length"]);
  });
});

describe("generateStream", () => {
  it("gives pieces as they come and the response after them, in either order of asking", async () => {
    const script = () => createScriptedModel([callsTools({ name: "look", ref: "l" }), textReply("done", ["do", "ne"])]);
    const { stream, response } = generateStream({ model: script(), prompt: "go", tools: [look] });
    expect(await collect(stream)).toMatchObject([
      { role: "tool", index: 1 },
      { index: 2, content: [{ text: "do" }] },
      { index: 2, content: [{ text: "ne" }] },
    ]);
    expect((await response).text).toBe("done");
    expect((await generateStream({ model: script(), prompt: "go", tools: [look] }).response).text).toBe("done");
  });

  it("makes the model wait for a slow reader, and loses nothing", async () => {
    let sent = 0;
    const talkative = {
      name: "talkative",
      async generate(_: unknown, { sendChunk }: { sendChunk?: (chunk: never) => Promise<void> }) {
        for (; sent < 1_000; sent++) await sendChunk?.({ content: [{ text: `${sent}` }] } as never);
        return textReply("done") as never as { response: never };
      },
    };
    const unwrapped = {
      ...talkative,
      generate: async (...args: never) => (await talkative.generate(...(args as [never, never]))).response,
    };
    const { stream, response } = generateStream({ model: unwrapped as never, prompt: "go" });
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(sent).toBeLessThan(100);
    let seen = 1;
    while (!(await reader.next()).done) seen++;
    expect(seen).toBe(1_000);
    await response;
  });

  it("fails where it is looked at, and nowhere else", async () => {
    const broken = () => createScriptedModel([{ error: new AgentError("UNAVAILABLE", "away") }]);
    await expect(collect(generateStream({ model: broken(), prompt: "go" }).stream)).rejects.toMatchObject({
      status: "UNAVAILABLE",
    });
    await expect(generateStream({ model: broken(), prompt: "go" }).response).rejects.toMatchObject({
      status: "UNAVAILABLE",
    });
    generateStream({ model: broken(), prompt: "go" });
    await new Promise(setImmediate);
  });
});

describe("generate inside an agent", () => {
  it("is part of the turn: its limits, its spans, its signal", async () => {
    const telemetry = createMemoryTelemetry();
    const world = createWorld({ telemetry });
    const reply = {
      response: { message: model("ok"), finishReason: "stop" as const, usage: { inputTokens: 5, outputTokens: 2 } },
    };
    const scripted = createScriptedModel([callsTools({ name: "look", ref: "l" }), reply]);
    const agent = world.agents.defineCustomAgent({ name: "own" }, async (session) => {
      await session.run(async () => {
        const { message } = await generate({ model: scripted, messages: session.getMessages(), tools: [look] });
        session.addMessages(message);
      });
      return session.result();
    });
    expect((await agent.runText("go")).usage).toEqual({ modelCalls: 2, inputTokens: 5, outputTokens: 2 });
    const turn = telemetry.spans[0]?.children[0];
    expect(turn?.children.map(({ name }) => name)).toEqual(["chat scripted", "execute_tool look", "chat scripted"]);
    expect(turn?.children[1]?.attributes).toMatchObject({
      "gen_ai.tool.name": "look",
      "gen_ai.tool.call.id": "l",
      "agent.tool.outcome": "output",
    });
    expect(turn?.children[2]?.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": 5,
      "gen_ai.response.finish_reasons": ["stop"],
    });
    expect(telemetry.values("gen_ai.client.token.usage")).toEqual([5, 2]);
  });

  it("stops with the turn", async () => {
    const world = createWorld();
    const gate = createGate();
    let signal: AbortSignal | undefined;
    const slow = {
      name: "slow",
      generate: (_: unknown, call: { signal: AbortSignal }) => {
        signal = call.signal;
        return gate.wait(call.signal) as Promise<never>;
      },
    };
    const agent = world.agents.defineCustomAgent({ name: "own" }, async (session) => {
      await session.run(async () => void (await generate({ model: slow, prompt: "go" })));
    });
    const stream = agent.streamText("go");
    await gate.reached();
    await agent.abort((await stream.turnId()) as string);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    expect(signal?.aborted).toBe(true);
  });
});
