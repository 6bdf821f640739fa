import { AgentError } from "@agents/schema/error";
import { collect, createScriptedModel, type ScriptedStep, textReply } from "@agents/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, createWorld, user } from "../../test/agent-world.ts";
import { callsTools, glance } from "../../test/model-replies.ts";
import { type AgentsOptions, currentSession, defineTool, ToolCorrection, type ToolOptions } from "../index.ts";

type Run = Parameters<typeof defineTool>[1];

function open(
  script: readonly ScriptedStep[],
  tools: Parameters<typeof withTools>[0] = [],
  more: object = {},
  options: AgentsOptions = {},
) {
  const world = createWorld(options);
  const scripted = createScriptedModel(script);
  const agent = world.agents.defineAgent({ name: "helper", model: scripted, tools: withTools(tools), ...more });
  const messages = async (sessionId = "s") => (await agent.getLatestSnapshot(sessionId)).state?.messages;
  return { ...world, scripted, agent, messages };
}

function withTools(tools: readonly (readonly [string, Run, Partial<ToolOptions<never, unknown>>?])[]) {
  return tools.map(([name, run, options]) => defineTool({ name, ...options } as never, run));
}

const ask = { name: "ask", input: { q: 1 }, ref: "r1" };

describe("the tool loop", () => {
  it("runs the tools that the model calls and asks again, until it calls none", async () => {
    const { agent, scripted, messages } = open(
      [callsTools(ask), callsTools({ ...ask, ref: "r2" }), textReply("done")],
      [["ask", (input) => ({ got: input }), { inputSchema: z.object({ q: z.number() }) as never }]],
    );
    const output = await agent.runText("go", { sessionId: "s" });
    expect(output).toMatchObject({ finishReason: "stop", message: { content: [{ text: "done" }] } });
    expect(glance(await messages())).toEqual([
      "user: go",
      'model: ask#r1({"q":1})',
      'tool: ask#r1={"got":{"q":1}}',
      'model: ask#r2({"q":1})',
      'tool: ask#r2={"got":{"q":1}}',
      "model: done",
    ]);
    expect(scripted.requests[2]?.messages).toHaveLength(5);
    expect(scripted.requests[0]?.tools).toMatchObject([{ name: "ask", inputSchema: { properties: { q: {} } } }]);
  });

  it("runs the calls of one message at the same time, and keeps the order of their answers", async () => {
    const gates = { a: createGate(), b: createGate() };
    const { agent, messages } = open(
      [callsTools({ name: "wait", input: "a", ref: "1" }, { name: "wait", input: "b", ref: "2" }), textReply("done")],
      [
        [
          "wait",
          (input) => gates[input as unknown as "a" | "b"].wait().then(() => input),
          { inputSchema: z.enum(["a", "b"]) as never },
        ],
      ],
    );
    const output = agent.runText("go", { sessionId: "s" });
    await Promise.all([gates.a.reached(), gates.b.reached()]);
    gates.b.open();
    gates.a.open();
    await output;
    expect(glance(await messages())[2]).toBe('tool: wait#1="a" wait#2="b"');
  });

  it("streams the answers of one message as one chunk of role tool", async () => {
    const { agent } = open(
      [callsTools(ask, { ...ask, ref: "r2" }), textReply("done", ["do", "ne"])],
      [["ask", () => 1]],
    );
    expect(await collect(agent.streamText("go"))).toMatchObject([
      {
        modelChunk: {
          role: "tool",
          index: 1,
          content: [{ toolResponse: { ref: "r1", output: 1 } }, { toolResponse: { ref: "r2" } }],
        },
      },
      { modelChunk: { index: 2, content: [{ text: "do" }] } },
      { modelChunk: { index: 2, content: [{ text: "ne" }] } },
      { turnEnd: { finishReason: "stop" } },
    ]);
  });

  it("gives every call a ref of its own, so that keys stay apart and answers find their calls", async () => {
    const keys: string[] = [];
    const { agent, messages } = open(
      [
        callsTools({ name: "ask" }, { name: "ask", ref: "0" }, { name: "ask", ref: "0" }),
        callsTools({ name: "ask", ref: "0" }),
        textReply("done"),
      ],
      [["ask", (_, { key }) => void keys.push(key)]],
    );
    const { snapshotId } = await agent.runText("go", { sessionId: "s" });
    expect(new Set(keys).size).toBe(4);
    expect(keys[1]).toBe(`${snapshotId}:0`);
    const refs = (await messages())?.flatMap(({ content }) => content.map(({ toolRequest }) => toolRequest?.ref));
    expect(new Set(refs?.filter((ref) => ref !== undefined)).size).toBe(4);
  });

  it("fails with RESOURCE_EXHAUSTED, without running more tools, when maxTurns is used up", async () => {
    let ran = 0;
    const { agent } = open([callsTools(ask), callsTools({ ...ask, ref: "r2" })], [["ask", () => ran++]], {
      maxTurns: 2,
    });
    expect(await agent.runText("go")).toMatchObject({
      finishReason: "failed",
      error: { status: "RESOURCE_EXHAUSTED", details: { limit: "maxTurns", allowed: 2 } },
    });
    expect(ran).toBe(1);
  });

  it("counts model calls and tokens towards the turn's limits, and asks no more once they are used up", async () => {
    const { agent, scripted } = open([callsTools(ask), textReply("never")], [["ask", () => 1]], {
      limits: { modelCalls: 1 },
    });
    const { finishReason, error } = await agent.runText("go");
    expect({ finishReason, status: error?.status }).toEqual({ finishReason: "failed", status: "RESOURCE_EXHAUSTED" });
    expect(scripted.remaining).toBe(1);
  });

  it("sums the usage and cost of a turn's calls on the output and the snapshot", async () => {
    const usage = { inputTokens: 10, outputTokens: 2, cost: { amount: 0.5, currency: "USD" } };
    const spent = (reply: ReturnType<typeof callsTools>) =>
      ({ response: { ...(reply as never as { response: object }).response, usage } }) as ScriptedStep;
    const { agent } = open([spent(callsTools(ask)), spent(textReply("done") as never)], [["ask", () => 1]]);
    const sum = { modelCalls: 2, inputTokens: 20, outputTokens: 4, cost: { amount: 1, currency: "USD" } };
    const { snapshotId, usage: told } = await agent.runText("go");
    expect(told).toEqual(sum);
    expect((await agent.getSnapshot(snapshotId as string)).usage).toEqual(sum);
  });
});

describe("what goes back to the model, to be corrected", () => {
  it.each([
    ["an unknown tool", { name: "nope", ref: "r" }, /no tool "nope".*ask/],
    ["invalid arguments", { name: "ask", input: { q: "x" }, ref: "r" }, /\/q/],
    ["what the tool says can be put right", { name: "ask", input: { q: 404 }, ref: "r" }, /try 200/],
  ])("%s", async (_, call, message) => {
    const { agent, scripted } = open(
      [callsTools(call), textReply("sorry")],
      [
        [
          "ask",
          () => {
            throw new ToolCorrection("try 200");
          },
          { inputSchema: z.object({ q: z.number() }) as never },
        ],
      ],
    );
    expect(await agent.runText("go")).toMatchObject({ finishReason: "stop" });
    const answer = scripted.requests[1]?.messages.at(-1);
    expect(answer).toMatchObject({
      role: "tool",
      content: [
        {
          metadata: { isError: true },
          toolResponse: { output: { error: { message: expect.stringMatching(message) } } },
        },
      ],
    });
  });

  it("an input that was no JSON", async () => {
    const part = {
      toolRequest: { name: "ask", input: "{oops", ref: "r" },
      metadata: { malformedInput: "Unexpected end" },
    };
    const { agent, scripted } = open(
      [{ response: { message: { role: "model", content: [part] }, finishReason: "stop" } }, textReply("sorry")],
      [["ask", () => 1]],
    );
    await agent.runText("go");
    expect(scripted.requests[1]?.messages.at(-1)?.content[0]?.toolResponse?.output).toMatchObject({
      error: { message: expect.stringContaining("Unexpected end") },
    });
  });
});

describe("a tool that fails", () => {
  const broken: [string, Run] = [
    "ask",
    () => {
      throw new AgentError("NOT_FOUND", "no such account", { details: { id: 7 } });
    },
  ];

  it("fails the turn with INTERNAL, its own status in the details, and leaves nothing of the turn", async () => {
    const { agent, messages } = open([textReply("hi"), callsTools(ask), textReply("again")], [broken]);
    await agent.runText("u1", { sessionId: "s" });
    expect(await agent.runText("u2", { sessionId: "s" })).toMatchObject({
      finishReason: "failed",
      error: {
        status: "INTERNAL",
        message: expect.stringContaining("no such account"),
        details: { tool: "ask", ref: "r1", status: "NOT_FOUND", details: { id: 7 } },
      },
    });
    expect(glance(await messages())).toEqual(["user: u1", "model: hi"]);
    await agent.runText("u3", { sessionId: "s" });
    expect(glance(await messages())).toEqual(["user: u1", "model: hi", "user: u3", "model: again"]);
  });

  it("drops the round it opened and keeps those before, where failed turns can be continued", async () => {
    let calls = 0;
    const flaky: Run = () => {
      if (calls++ === 1) throw new Error("flaky");
      currentSession<{ n: number }>().updateCustom((draft) => {
        draft.n += 1;
      });
      return "ok";
    };
    const { agent } = open(
      [callsTools(ask), callsTools({ ...ask, ref: "r2" }), callsTools({ ...ask, ref: "r3" }), textReply("done")],
      [["ask", flaky]],
      { resumeFrom: "settled", initialCustom: { n: 0 } },
    );
    const failed = await agent.runText("go", { sessionId: "s" });
    const kept = (await agent.getSnapshot(failed.snapshotId as string)).state;
    expect(glance(kept?.messages)).toEqual(["user: go", 'model: ask#r1({"q":1})', 'tool: ask#r1="ok"']);
    expect(kept?.custom).toEqual({ n: 1 });
    const again = await agent.run({}, { sessionId: "s" });
    expect(again.finishReason).toBe("stop");
    expect((await agent.getSnapshot(again.snapshotId as string)).state?.custom).toEqual({ n: 2 });
    expect(calls).toBe(3);
  });

  it("stops the calls beside it", async () => {
    const gate = createGate();
    let stopped: unknown;
    const { agent } = open(
      [callsTools({ name: "slow", ref: "1" }, { name: "bad", ref: "2" })],
      [
        [
          "slow",
          (_, { abortSignal }) =>
            gate.wait(abortSignal).catch((reason) => {
              stopped = reason;
            }),
        ],
        ["bad", () => gate.reached().then(() => Promise.reject(new Error("broke")))],
      ],
    );
    expect(await agent.runText("go")).toMatchObject({ finishReason: "failed" });
    expect(stopped).toMatchObject({ status: "INTERNAL" });
  });

  it("fails when its time is up", async () => {
    const gate = createGate();
    const { agent, clock } = open([callsTools(ask)], [["ask", () => gate.wait(), { timeoutMs: 1_000 }]]);
    const output = agent.runText("go");
    await gate.reached();
    await clock.advance(1_000);
    expect(await output).toMatchObject({ error: { status: "INTERNAL", details: { status: "DEADLINE_EXCEEDED" } } });
  });

  it("is run again only where it says so", async () => {
    let calls = 0;
    const flaky: Run = () => {
      if (calls++ === 0) throw new AgentError("UNAVAILABLE", "away");
      return "back";
    };
    const retry = { attempts: 2, delayMs: 0 };
    const { agent } = open([callsTools(ask), textReply("done")], [["ask", flaky, { retry }]]);
    expect(await agent.runText("go")).toMatchObject({ finishReason: "stop" });
    expect(calls).toBe(2);
  });

  it("may not give what JSON cannot hold, nor what its schema does not", async () => {
    const { agent } = open([callsTools(ask)], [["ask", () => ({ at: new Date() })]]);
    expect(await agent.runText("go")).toMatchObject({
      finishReason: "failed",
      error: { message: expect.stringContaining("/at") },
    });
    const other = open([callsTools(ask)], [["ask", () => 1, { outputSchema: z.string() as never }]]);
    expect(await other.agent.runText("go")).toMatchObject({ finishReason: "failed", error: { status: "INTERNAL" } });
  });
});

describe("a tool's context", () => {
  it("has the session, the turn, the caller's context, a key, and a way to stream", async () => {
    const seen: unknown[] = [];
    const run: Run = async (_, { session, turn, context, key, sendChunk }) => {
      seen.push(session?.sessionId, turn?.snapshotId, context, key);
      await sendChunk({ status: "half way" });
    };
    const { agent } = open([callsTools(ask), textReply("done")], [["ask", run]]);
    const stream = agent.streamText("go", { sessionId: "s", context: { subject: "ann" } });
    const chunks = await collect(stream);
    const { snapshotId } = await stream.output();
    expect(seen).toEqual(["s", snapshotId, { subject: "ann" }, `${snapshotId}:r1`]);
    expect(chunks[0]).toEqual({ status: "half way" });
  });

  it("is aborted with the turn, which does not wait for it", async () => {
    const gate = createGate();
    let reason: unknown;
    const { agent } = open(
      [callsTools(ask)],
      [
        [
          "ask",
          (_, { abortSignal }) => {
            abortSignal.addEventListener("abort", () => {
              reason = abortSignal.reason;
            });
            return gate.wait();
          },
        ],
      ],
    );
    const stream = agent.streamText("go", { sessionId: "s" });
    await gate.reached();
    await agent.abort((await stream.turnId()) as string);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    expect(reason).toMatchObject({ status: "ABORTED" });
  });
});

describe("definitions", () => {
  it.each(["", "has space", "x".repeat(129)])("refuse %j as the name of a tool", (name) => {
    expect(() => defineTool({ name }, () => 1)).toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
  });

  it("refuse two tools of one name before the first turn", async () => {
    const { agent, store } = open(
      [],
      [
        ["ask", () => 1],
        ["ask", () => 2],
      ],
    );
    await expect(agent.ready()).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining('"ask"'),
    });
    await expect(agent.runText("go", { sessionId: "s" })).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(await store.index.getSession({ scope: "" }, "s")).toBeUndefined();
  });

  it("keep prompt text out of history", async () => {
    const { agent, scripted, messages } = open([textReply("1"), textReply("2")], [], {
      system: "Be brief.",
      messages: [user("example")],
    });
    await agent.runText("a", { sessionId: "s" });
    await agent.runText("b", { sessionId: "s" });
    expect(glance(scripted.requests[1]?.messages)).toEqual([
      "system: Be brief.",
      "user: example",
      "user: a",
      "model: 1",
      "user: b",
    ]);
    expect(glance(await messages())).toEqual(["user: a", "model: 1", "user: b", "model: 2"]);
  });

  it("take the tools of a source as they are when a turn starts", async () => {
    const source = { tools: [defineTool({ name: "first" }, () => 1)] };
    const scripted = createScriptedModel([textReply("1"), textReply("2")]);
    const { agents } = createWorld();
    const agent = agents.defineAgent({
      name: "a",
      model: scripted,
      tools: [source, defineTool({ name: "own" }, () => 1)],
    });
    await agent.runText("go");
    source.tools = [defineTool({ name: "second" }, () => 2)];
    await agent.runText("go");
    expect(scripted.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ["first", "own"],
      ["second", "own"],
    ]);
  });
});
