import { collect, createScriptedModel, type ScriptedStep, textReply } from "@agents/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, createWorld, says } from "../../test/agent-world.ts";
import { callsTools, glance } from "../../test/model-replies.ts";
import { type AgentToolOptions, currentSession, defineTool, subAgents } from "../index.ts";

const asks = (name: string, ref = "d1", task = "dig") => callsTools({ name, ref, input: { task } });

interface Parts {
  readonly parent: readonly ScriptedStep[];
  readonly child: readonly ScriptedStep[];
  readonly options?: AgentToolOptions;
  readonly childOptions?: object;
}

/** "boss" may ask "digger", which may "wait" at a gate, "ask" a person, or "make" an artifact. */
function open({ parent, child, options = {}, childOptions = {} }: Parts) {
  const world = createWorld();
  const gate = createGate();
  const signals: AbortSignal[] = [];
  const digger = world.agents.defineAgent({
    name: "digger",
    description: "digs",
    model: createScriptedModel(child),
    tools: [
      defineTool({ name: "wait" }, (_, { abortSignal }) => {
        signals.push(abortSignal);
        return gate.wait(abortSignal);
      }),
      defineTool({ name: "ask", outputSchema: z.string() }, (_, { interrupt }) => interrupt({ q: "how deep?" })),
      defineTool({ name: "make" }, () => currentSession().addArtifacts({ name: "hole", parts: [{ text: "deep" }] })),
    ],
    ...childOptions,
  });
  const scripted = createScriptedModel(parent);
  const boss = world.agents.defineAgent({ name: "boss", model: scripted, tools: subAgents([digger], options) });
  const send = (text: string) => boss.runText(text, { sessionId: "s" });
  const messages = async () => (await boss.getLatestSnapshot("s")).state?.messages;
  return { ...world, boss, digger, scripted, gate, signals, send, messages };
}

describe("an agent that asks another", () => {
  it("gets its answer as a tool's, and the two sessions are linked", async () => {
    const { send, messages, digger, scripted } = open({
      parent: [asks("digger"), textReply("well done")],
      child: [textReply("found gold")],
    });
    const { snapshotId } = await send("go");
    expect(scripted.requests[0]?.tools).toMatchObject([{ name: "digger", description: "digs" }]);
    expect(glance(await messages())).toContain('tool: digger#d1="found gold"');
    const link = (await messages())?.[2]?.content[0]?.metadata?.delegation as { sessionId: string; snapshotId: string };
    expect(link).toMatchObject({ agent: "digger", sessionId: `${snapshotId}:d1` });
    expect(glance((await digger.getSnapshot(link.snapshotId)).state?.messages)).toEqual([
      "user: dig",
      "model: found gold",
    ]);
  });

  it("sees its chunks with a source label where it wants to", async () => {
    const parts = { parent: [asks("digger"), textReply("ok")], child: [textReply("gold", ["go", "ld"])] };
    const quiet = open(parts);
    expect(JSON.stringify(await collect(quiet.boss.streamText("go")))).not.toContain('"go"');
    const loud = open({ ...parts, options: { forward: true } });
    expect(await collect(loud.boss.streamText("go"))).toMatchObject([
      { modelChunk: { content: [{ text: "go" }], metadata: { source: "digger", ref: "d1" } } },
      { modelChunk: { content: [{ text: "ld" }], metadata: { source: "digger", ref: "d1" } } },
      { modelChunk: { role: "tool" } },
      { turnEnd: {} },
    ]);
  });

  it("takes over its artifacts under its name, unless it does not want them", async () => {
    const parts = {
      parent: [asks("digger"), textReply("ok")],
      child: [callsTools({ name: "make", ref: "m" }), textReply("made")],
    };
    expect((await open(parts).send("go")).artifacts).toEqual([
      { name: "digger/hole", parts: [{ text: "deep" }], metadata: { source: "digger" } },
    ]);
    expect((await open({ ...parts, options: { artifacts: false } }).send("go")).artifacts).toBeUndefined();
  });

  it.each([
    ["own store", {}],
    ["nested", { stateManagement: "client" }],
  ])("waits for a person when it does, and routes the answer back: %s", async (_, childOptions) => {
    const { boss, send, messages } = open({
      parent: [asks("digger"), textReply("thanks")],
      child: [callsTools({ name: "ask", ref: "i1" }), textReply("10 m deep")],
      childOptions,
    });
    const output = await send("go");
    expect(output).toMatchObject({
      finishReason: "interrupted",
      message: {
        content: [
          {
            toolRequest: { name: "digger" },
            metadata: {
              interrupt: {
                agent: "digger",
                requests: [{ toolRequest: { name: "ask", ref: "i1" }, metadata: { interrupt: { q: "how deep?" } } }],
              },
            },
          },
        ],
      },
    });
    const toolRequest = { name: "digger", ref: "d1", input: { task: "dig" } };
    const resumed = { respond: [{ toolResponse: { name: "ask", ref: "i1", output: "10 m" } }] };
    expect(
      await boss.run({ resume: { restart: [{ toolRequest, metadata: { resumed } }] } }, { sessionId: "s" }),
    ).toMatchObject({ finishReason: "stop" });
    expect(glance(await messages())).toContain('tool: digger#d1="10 m deep"');
  });

  it("refuses a forged answer for it as it would itself", async () => {
    const { boss, send } = open({ parent: [asks("digger")], child: [callsTools({ name: "ask", ref: "i1" })] });
    await send("go");
    const toolRequest = { name: "digger", ref: "d1", input: { task: "dig" } };
    for (const resumed of [{ respond: [{ toolResponse: { name: "pay", ref: "x", output: 1 } }] }, "yes", undefined]) {
      const metadata = resumed === undefined ? {} : { metadata: { resumed } };
      const output = await boss.run({ resume: { restart: [{ toolRequest, ...metadata }] } }, { sessionId: "s" });
      expect(output).toMatchObject({ finishReason: "failed", error: { details: { status: "INVALID_ARGUMENT" } } });
    }
  });

  it("stops it when it is stopped itself", async () => {
    const { boss, gate, signals } = open({ parent: [asks("digger")], child: [callsTools({ name: "wait", ref: "w" })] });
    const stream = boss.stream(says("go"), { sessionId: "s" });
    await gate.reached();
    await boss.abort((await stream.turnId()) as string);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    expect(signals[0]?.aborted).toBe(true);
  });

  it("fails with what it failed with", async () => {
    const { send } = open({ parent: [asks("digger")], child: [] });
    expect(await send("go")).toMatchObject({
      finishReason: "failed",
      error: {
        status: "INTERNAL",
        message: expect.stringContaining("digger"),
        details: { status: "FAILED_PRECONDITION" },
      },
    });
  });

  it("is told when it has asked often enough, and answers by itself", async () => {
    const { send, messages } = open({
      parent: [asks("digger", "1"), asks("digger", "2"), textReply("ok")],
      child: [textReply("a")],
      options: { maxCalls: 1 },
    });
    expect(await send("go")).toMatchObject({ finishReason: "stop" });
    expect(glance(await messages())[4]).toMatch(/cannot be asked again/);
  });

  it("cannot ask in circles for ever", async () => {
    const { agents } = createWorld();
    const depths: number[] = [];
    const model = {
      name: "circle",
      generate: async ({ messages }: { messages: readonly { role: string }[] }) => {
        depths.push(messages.length);
        const reply = messages.at(-1)?.role === "tool" ? textReply("enough") : asks("me");
        return (reply as { response: never }).response;
      },
    };
    const tools: ReturnType<typeof subAgents> = [];
    const me = agents.defineAgent({ name: "me", model, tools });
    const asked = agents.defineAgent({ name: "outer", model, tools: [me.asTool({ maxDepth: 3 })] });
    tools.push(me.asTool({ maxDepth: 3 }));
    expect(await asked.runText("go")).toMatchObject({
      finishReason: "stop",
      message: { content: [{ text: "enough" }] },
    });
    expect(depths).toHaveLength(8);
  });
});
