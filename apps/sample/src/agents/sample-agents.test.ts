import type { AgentChunk } from "@agents/schema/agent";
import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import { createMemoryStore } from "@agents/store-memory";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createDemoModel } from "../model/demo-model.ts";
import { calculate } from "./calculate.ts";
import { defineSampleAgents } from "./define-agents.ts";

function open(store = createMemoryStore()) {
  const model = createDemoModel({ wordMs: 0 });
  return { store, ...defineSampleAgents({ store, model, reporter: { sections: 3, sectionMs: 0 } }) };
}

/** The custom state after each of its changes, as a client sees them. */
function states(chunks: readonly AgentChunk[]): unknown[] {
  let custom: unknown;
  return chunks.flatMap(({ customPatch }) => {
    if (customPatch === undefined) return [];
    custom = applyPatch(custom, customPatch as PatchOperation[]);
    return [custom];
  });
}

describe("the assistant", () => {
  it.each([
    ["What is 2 * (3 + 4)?", "2 * (3 + 4) = 14"],
    ["remember that tea is at five", "Noted: tea is at five"],
    ["what do you know?", "Nothing was noted yet."],
    ["hello", "You said: hello"],
  ])("answers %j with a tool where one helps", async (text, expected) => {
    const { message } = await open().assistant.runText(text);
    expect(message?.content[0]?.text).toContain(expected);
  });

  it("keeps its notes in the state of the session", async () => {
    const { assistant } = open();
    const chat = assistant.chat();
    await chat.send("remember that tea is at five").output();
    await chat.send("what do you know?").output();
    expect(chat.custom).toEqual({ notes: ["tea is at five"] });
    expect(chat.messages.at(-1)?.content[0]?.text).toBe("- tea is at five");
  });

  it.each([
    ["1 + 2 * 3", 7],
    ["-(2 - 5) / 2", 1.5],
    ["1 / 0", undefined],
    ["2 +", undefined],
    ["process.exit()", undefined],
    ["", undefined],
  ])("calculates %j", (expression, value) => {
    expect(calculate(expression)).toBe(value);
  });
});

describe("the banker", () => {
  const ask = async (agents: ReturnType<typeof open>) => {
    const output = await agents.banker.runText("transfer $250 to ann", { sessionId: "s" });
    const [request] = output.message?.content ?? [];
    return { output, request };
  };
  const decide = (agents: ReturnType<typeof open>, request: unknown, approved: boolean) => {
    const { toolRequest } = request as { toolRequest: never };
    return agents.banker.run(
      { resume: { restart: [{ toolRequest, metadata: { resumed: { approved } } }] } },
      { sessionId: "s" },
    );
  };

  it("asks before money moves, and moves it once it is approved", async () => {
    const agents = open();
    const { output, request } = await ask(agents);
    expect(output.finishReason).toBe("interrupted");
    expect(request?.metadata?.interrupt).toEqual({ question: "Transfer $250 to ann?", to: "ann", amount: 250 });
    expect((await agents.banker.getLatestSnapshot("s")).state?.custom).toEqual({ balance: 1_000, transfers: [] });
    // Another process over the same store.
    const later = open(agents.store);
    expect((await decide(later, request, true)).message?.content[0]?.text).toBe("Transferred $250 to ann.");
    expect((await later.banker.getLatestSnapshot("s")).state?.custom).toMatchObject({
      balance: 750,
      transfers: [{ to: "ann", amount: 250 }],
    });
    expect(await decide(later, request, true)).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT" },
    });
  });

  it("moves nothing when it is declined, or when there is not enough", async () => {
    const agents = open();
    const { request } = await ask(agents);
    expect((await decide(agents, request, false)).message?.content[0]?.text).toMatch(/declined/);
    const tooMuch = await agents.banker.runText("transfer $2000 to ann", { sessionId: "s" });
    expect(tooMuch.message?.content[0]?.text).toMatch(/only \$1000/);
    expect((await agents.banker.getLatestSnapshot("s")).state?.custom).toEqual({ balance: 1_000, transfers: [] });
  });
});

describe("the researcher", () => {
  it("plans, answers one by one, streams its synthesis, and leaves a report named after the turn", async () => {
    const { researcher } = open();
    const stream = researcher.streamText("tides", { sessionId: "s" });
    const chunks = await collect(stream);
    const output = await stream.output();
    expect(states(chunks).map((state) => (state as { phase: string }).phase)).toEqual([
      "planning",
      "answering",
      "answering",
      "answering",
      "answering",
      "writing",
      "done",
    ]);
    const answered = states(chunks).map(
      (state) =>
        (state as { questions: { answer?: string }[] }).questions.filter(({ answer }) => answer !== undefined).length,
    );
    expect(answered).toEqual([0, 0, 1, 2, 3, 3, 3]);
    const streamed = chunks.map(({ modelChunk }) => modelChunk?.content[0]?.text ?? "").join("");
    expect(streamed).toBe(output.message?.content[0]?.text);
    expect(chunks.filter(({ modelChunk }) => modelChunk !== undefined).length).toBeGreaterThan(10);
    expect(output.artifacts?.map(({ name }) => name)).toEqual([output.snapshotId]);
    expect(output.usage?.modelCalls).toBe(5);
    expect(await researcher.verifySnapshot(output.snapshotId as string)).toMatchObject({ status: "completed" });
  });
});

describe("the reporter", () => {
  it("goes on in the background, and can be followed from anywhere", async () => {
    const { reporter } = open();
    const connection = reporter.connect({ sessionId: "s" });
    await connection.sendText("Whales");
    const { snapshotId, finishReason } = await connection.detach();
    expect(finishReason).toBe("detached");
    const seen = [];
    for await (const event of reporter.follow(snapshotId as string)) if ("chunk" in event) seen.push(event.chunk);
    expect(states(seen).at(-1)).toEqual({ title: "Whales", done: 3, of: 3 });
    expect((await reporter.waitForSnapshot(snapshotId as string)).state?.artifacts).toMatchObject([{ name: "report" }]);
  });

  it("stops when it is asked to", async () => {
    const store = createMemoryStore();
    const { reporter } = defineSampleAgents({ store, model: createDemoModel(), reporter: { sectionMs: 60_000 } });
    const stream = reporter.streamText("Whales", { sessionId: "s" });
    await reporter.abort((await stream.turnId()) as string);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
  });
});
