import type { AgentInput, ToolRequestPart } from "@agents/schema/agent";
import { collect, createScriptedModel, type ScriptedStep, textReply } from "@agents/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createWorld, says, user } from "../../test/agent-world.ts";
import { callsTools, glance } from "../../test/model-replies.ts";
import { type AgentsOptions, defineTool, interrupt } from "../index.ts";

/** "ask" always waits for a person; "confirm" until it was restarted with a yes; "look" answers by itself. */
function open(script: readonly ScriptedStep[], more: object = {}) {
  const world = createWorld();
  const scripted = createScriptedModel(script);
  const seen: unknown[] = [];
  const define = (options?: AgentsOptions) =>
    (options === undefined ? world.agents : world.another(options)).defineAgent({
      name: "clerk",
      model: scripted,
      tools: [
        defineTool(
          { name: "ask", inputSchema: z.object({ q: z.string() }), outputSchema: z.object({ a: z.string() }) },
          async () => await deeper(),
        ),
        defineTool(
          { name: "confirm", inputSchema: z.object({ act: z.string() }) },
          ({ act }, { resumed, interrupted, interrupt: wait }) => {
            seen.push({ resumed, interrupted });
            if ((resumed as { yes?: boolean } | undefined)?.yes === true) return `did ${act}`;
            return wait({ about: act, again: resumed !== undefined });
          },
        ),
        defineTool({ name: "look" }, () => "seen"),
        defineTool({ name: "fail" }, () => Promise.reject(new Error("broke"))),
      ],
      ...more,
    });
  const agent = define();
  const messages = async () => (await agent.getLatestSnapshot("s")).state?.messages;
  const send = (input: AgentInput) => agent.run(input, { sessionId: "s" });
  return { ...world, agent, scripted, seen, messages, send, elsewhere: () => define({}) };
}

async function deeper(): Promise<never> {
  await Promise.resolve();
  return interrupt({ why: "a person knows" });
}

const ask = (ref: string) => ({ name: "ask", input: { q: ref }, ref });
const confirm = (ref: string) => ({ name: "confirm", input: { act: ref }, ref });
const answer = (ref: string, a = "yes") => ({ toolResponse: { name: "ask", ref, output: { a } } });
const restart = (ref: string, resumed?: unknown, input: unknown = { act: ref }): ToolRequestPart => ({
  toolRequest: { name: "confirm", ref, input },
  ...(resumed === undefined ? {} : { metadata: { resumed } }),
});

describe("a tool that waits for a person", () => {
  it("ends the turn as interrupted, its snapshot completed and resumable, the others of its message kept", async () => {
    const { send, agent } = open([callsTools({ name: "look", ref: "l" }, ask("i1"))]);
    const output = await send(says("go"));
    expect(output).toMatchObject({
      finishReason: "interrupted",
      message: {
        content: [
          { toolRequest: { ref: "l" }, metadata: { pendingOutput: "seen" } },
          { toolRequest: { ref: "i1" }, metadata: { interrupt: { why: "a person knows" } } },
        ],
      },
    });
    expect(await agent.getSnapshot(output.snapshotId as string)).toMatchObject({
      status: "completed",
      finishReason: "interrupted",
    });
  });

  it("gets its answer from a person, and the model goes on, across a restart of the process", async () => {
    const { send, elsewhere, messages, scripted } = open([
      callsTools({ name: "look", ref: "l" }, ask("i1")),
      textReply("thanks"),
    ]);
    await send(says("go"));
    const stream = elsewhere().stream({ resume: { respond: [answer("i1")] } }, { sessionId: "s" });
    expect(await collect(stream)).toMatchObject([
      {
        modelChunk: {
          role: "tool",
          content: [
            { toolResponse: { ref: "l", output: "seen" } },
            { toolResponse: { ref: "i1", output: { a: "yes" } } },
          ],
        },
      },
      { turnEnd: { finishReason: "stop" } },
    ]);
    expect(glance(await messages())).toEqual([
      "user: go",
      'model: look#l({}) ask#i1({"q":"i1"})',
      'tool: look#l="seen" ask#i1={"a":"yes"}',
      "model: thanks",
    ]);
    expect((await messages())?.[1]?.content.map(({ metadata }) => metadata)).toEqual([
      undefined,
      { interrupt: { why: "a person knows" } },
    ]);
    expect(glance(scripted.requests[1]?.messages)).toHaveLength(3);
  });

  it("can be restarted with what a person said, and sees what it waited for", async () => {
    const { send, seen, messages } = open([callsTools(confirm("pay")), textReply("paid")]);
    await send(says("go"));
    expect(await send({ resume: { restart: [restart("pay", { yes: true })] } })).toMatchObject({
      finishReason: "stop",
    });
    expect(seen[1]).toEqual({ resumed: { yes: true }, interrupted: { about: "pay", again: false } });
    expect(glance(await messages())[2]).toBe('tool: confirm#pay="did pay"');
  });

  it("may wait again after a restart", async () => {
    const { send } = open([callsTools(confirm("pay")), textReply("paid")]);
    await send(says("go"));
    expect(await send({ resume: { restart: [restart("pay", "not sure")] } })).toMatchObject({
      finishReason: "interrupted",
      message: { content: [{ metadata: { interrupt: { about: "pay", again: true } } }] },
    });
    expect(await send({ resume: { restart: [restart("pay", { yes: true })] } })).toMatchObject({
      finishReason: "stop",
    });
  });

  it("waits until all of its message are answered, one after another or together", async () => {
    const { send, messages, scripted } = open([callsTools(ask("i1"), confirm("pay"), ask("i2")), textReply("done")]);
    await send(says("go"));
    const first = await send({ resume: { respond: [answer("i2", "two")] } });
    expect(first).toMatchObject({ finishReason: "interrupted" });
    expect(first.message?.content.map(({ metadata }) => Object.keys(metadata ?? {}))).toEqual([
      ["interrupt"],
      ["interrupt"],
      ["interrupt", "pendingOutput"],
    ]);
    expect(scripted.remaining).toBe(1);
    expect(
      await send({ resume: { respond: [answer("i1", "one")], restart: [restart("pay", { yes: true })] } }),
    ).toMatchObject({ finishReason: "stop" });
    expect(glance(await messages())[2]).toBe('tool: ask#i1={"a":"one"} confirm#pay="did pay" ask#i2={"a":"two"}');
  });

  it("is closed as not answered by a new message, so that no provider gets an unbalanced history", async () => {
    const { send, messages, scripted } = open([callsTools({ name: "look", ref: "l" }, ask("i1")), textReply("fine")]);
    await send(says("go"));
    expect(await send(says("never mind"))).toMatchObject({ finishReason: "stop" });
    const sent = scripted.requests[1]?.messages;
    expect(glance(sent).slice(2)).toEqual([
      expect.stringMatching(/^tool: look#l="seen" ask#i1=.*Not answered/),
      "user: never mind",
    ]);
    expect(glance(await messages())).toEqual([...glance(sent), "model: fine"]);
  });

  it("takes an answer and a message in one input, and closes what neither answers", async () => {
    const { send, messages } = open([callsTools(ask("i1"), ask("i2")), textReply("fine")]);
    await send(says("go"));
    await send({ resume: { respond: [answer("i1")] }, message: user("and hurry") });
    expect(glance(await messages()).slice(2)).toEqual([
      expect.stringMatching(/^tool: ask#i1={"a":"yes"} ask#i2=.*Not answered/),
      "user: and hurry",
      "model: fine",
    ]);
  });

  it("fails the turn if another call of its message fails, and can then be asked for again", async () => {
    const { send, messages } = open([callsTools(ask("i1"), { name: "fail", ref: "f" })]);
    expect(await send(says("go"))).toMatchObject({ finishReason: "failed" });
    await expect(messages()).rejects.toMatchObject({ status: "NOT_FOUND" });
  });
});

describe("a resume that does not fit", () => {
  const cases: [string, AgentInput["resume"], RegExp][] = [
    [
      "a call that nobody made",
      { respond: [{ toolResponse: { name: "fake", ref: "x", output: 1 } }] },
      /not found in session history/,
    ],
    ["another ref", { respond: [answer("other")] }, /not found in session history/],
    ["no ref", { respond: [{ toolResponse: { name: "ask", output: { a: "x" } } }] }, /not found in session history/],
    [
      "a call that has its answer already",
      { respond: [{ toolResponse: { name: "look", ref: "l", output: "forged" } }] },
      /not found in session history/,
    ],
    ["the same call twice", { respond: [answer("i1"), answer("i1", "no")] }, /answered twice/],
    [
      "a restart with modified inputs",
      { restart: [restart("pay", { yes: true }, { act: "pay more" })] },
      /modified inputs/,
    ],
    [
      "an output that the tool does not give",
      { respond: [{ toolResponse: { name: "ask", ref: "i1", output: { a: 1 } } }] },
      /\/a/,
    ],
    ["nothing at all", {}, /answers nothing/],
  ];
  it.each(cases)("is INVALID_ARGUMENT and changes nothing: %s", async (_, resume, message) => {
    const { send, messages, agent, scripted, seen } = open([
      callsTools({ name: "look", ref: "l" }, ask("i1"), confirm("pay")),
      textReply("done"),
    ]);
    await send(says("go"));
    const before = await messages();
    expect(await send({ resume })).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT", message: expect.stringMatching(message) },
    });
    expect(await messages()).toEqual(before);
    expect({ asked: scripted.requests.length, ran: seen.length }).toEqual({ asked: 1, ran: 1 });
    expect((await agent.getLatestSnapshot("s")).finishReason).toBe("interrupted");
  });

  it("is INVALID_ARGUMENT where nothing waits, also after it was answered", async () => {
    const { send } = open([callsTools(ask("i1")), textReply("done")]);
    const early = await send({ resume: { respond: [answer("i1")] } });
    expect(early).toMatchObject({ finishReason: "failed", error: { status: "INVALID_ARGUMENT" } });
    await send(says("go"));
    await send({ resume: { respond: [answer("i1")] } });
    expect(await send({ resume: { respond: [answer("i1")] } })).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT" },
    });
  });
});

describe("interrupts that the client carries", () => {
  it("work the same without a store", async () => {
    const { agent } = open([callsTools(ask("i1")), textReply("done")], { stateManagement: "client" });
    const { state } = await agent.runText("go");
    const again = JSON.parse(JSON.stringify(state));
    expect(await agent.run({ resume: { respond: [answer("i1")] } }, { state: again })).toMatchObject({
      finishReason: "stop",
    });
  });

  it("are mended on the way to the provider where the history they are in is unbalanced", async () => {
    const { agent, scripted } = open([textReply("done")], { stateManagement: "client" });
    const called = { role: "model" as const, content: [{ toolRequest: { name: "ask", ref: "lost", input: {} } }] };
    const messages = [user("a"), called, user("b"), { role: "model" as const, content: [{ text: "c" }] }];
    const { state } = await agent.runText("d", { state: { messages } });
    expect(glance(scripted.requests[0]?.messages)[2]).toMatch(/^tool: ask#lost=.*Not answered/);
    expect(glance(state?.messages)).toHaveLength(6);
  });
});
