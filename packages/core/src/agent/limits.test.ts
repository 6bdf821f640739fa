import type { Usage } from "@agents/schema/agent";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, transcript } from "../../test/agent-world.ts";
import type { AgentTurn, TurnLimits } from "../index.ts";

/** Each word of a message is a step: "wait" waits at the gate, "deaf" does so without an ear for the signal. */
function open(limits: TurnLimits, options: { usage?: Usage } = {}) {
  const world = createWorld();
  const gate = createGate();
  const turns: AgentTurn[] = [];
  const agent = world.agents.defineCustomAgent({ name: "a", limits }, async (session) => {
    await session.run(async (input, turn) => {
      turns.push(turn);
      for (const step of input.message?.content[0]?.text?.split(" ") ?? []) {
        if (step === "wait") await gate.wait(turn.abortSignal);
        else if (step === "deaf") await gate.wait();
        else turn.recordUsage(options.usage ?? { totalTokens: Number(step) });
      }
      session.addMessages(model("done"));
    });
    return session.result();
  });
  const failedRow = async () => (await agent.listSnapshots({ sessionId: "s" })).snapshots[0];
  const messages = async () => transcript((await agent.getLatestSnapshot("s")).state?.messages);
  return { ...world, gate, agent, turns, failedRow, messages };
}

describe("a time limit", () => {
  it.each(["wait", "deaf"])("fails the turn when its time is up, and aborts its signal: %s", async (step) => {
    const { agent, gate, clock, turns, failedRow } = open({ timeMs: 5_000 });
    const stream = agent.streamText(step, { sessionId: "s" });
    await gate.reached();
    await clock.advance(4_999);
    expect(turns[0]?.abortSignal.aborted).toBe(false);
    await clock.advance(1);
    expect(turns[0]?.abortSignal.aborted).toBe(true);
    expect(turns[0]?.abortSignal.reason).toMatchObject({ status: "DEADLINE_EXCEEDED" });
    const error = {
      status: "DEADLINE_EXCEEDED",
      message: expect.stringMatching(/5000 ms.*limits\.timeMs/),
      details: { limit: "timeMs", allowed: 5_000 },
    };
    expect(await collect(stream)).toEqual([{ turnEnd: { finishReason: "failed" } }]);
    expect(await stream.output()).toMatchObject({ finishReason: "failed", error });
    expect(await failedRow()).toMatchObject({ status: "failed", error });
  });

  it("leaves the session usable, and counts anew for each turn", async () => {
    const { agent, gate, clock, messages } = open({ timeMs: 5_000 });
    const connection = agent.connect({ sessionId: "s" });
    for (const step of ["wait", "wait"]) {
      await connection.sendText(step);
      await gate.reached();
      await clock.advance(3_000);
      gate.open();
      await collect(connection.receiveTurn());
    }
    await connection.sendText("wait");
    await gate.reached();
    await clock.advance(5_000);
    expect(await connection.output()).toMatchObject({ finishReason: "failed" });
    expect(await agent.runText("1", { sessionId: "s" })).toMatchObject({ finishReason: "stop" });
    expect(await messages()).toEqual([
      "user: wait",
      "model: done",
      "user: wait",
      "model: done",
      "user: 1",
      "model: done",
    ]);
  });

  it("stops with the turn: nothing is left running, and a session that waits for input has all the time", async () => {
    const { agent, clock } = open({ timeMs: 5_000 });
    const connection = agent.connect();
    await connection.sendText("1");
    await collect(connection.receiveTurn());
    await clock.advance(3_600_000);
    expect(clock.pendingTimers).toBe(0);
    await connection.sendText("2");
    expect(await connection.output()).toMatchObject({ finishReason: "stop" });
  });

  it("holds while a slow reader is waited for", async () => {
    const world = createWorld();
    const agent = world.agents.defineCustomAgent({ name: "a", limits: { timeMs: 5_000 } }, async (session) => {
      await session.run(async () => {
        for (let n = 0; n < 200; n++) session.addArtifacts({ parts: [] });
      });
    });
    const stream = agent.streamText("go");
    const turnId = (await stream.turnId()) as string;
    await world.clock.advance(5_000);
    expect(await agent.waitForSnapshot(turnId, { timeoutMs: 0 })).toMatchObject({
      status: "failed",
      error: { status: "DEADLINE_EXCEEDED" },
    });
    expect((await collect(stream)).at(-1)).toEqual({ turnEnd: { finishReason: "failed" } });
  });
});

describe("a limit of model calls", () => {
  it("fails the turn with one call too many, names the limit, and still records what was used", async () => {
    const { agent, failedRow } = open({ modelCalls: 2 });
    const error = {
      status: "RESOURCE_EXHAUSTED",
      message: expect.stringMatching(/3 model calls of the 2.*limits\.modelCalls/),
      details: { limit: "modelCalls", allowed: 2, used: 3 },
    };
    const usage = { modelCalls: 3, totalTokens: 30 };
    expect(await agent.runText("10 10 10", { sessionId: "s" })).toMatchObject({ finishReason: "failed", error, usage });
    expect(await failedRow()).toMatchObject({ status: "failed", error, usage });
  });

  it("allows as many as it says, in each turn", async () => {
    const { agent } = open({ modelCalls: 2 });
    const connection = agent.connect();
    for (const text of ["10 10", "10 10"]) await connection.sendText(text);
    expect(await connection.output()).toMatchObject({ finishReason: "stop", usage: { modelCalls: 4 } });
  });

  it("counts calls that a usage says it stands for, and one where it does not say", async () => {
    const several = open({ modelCalls: 4 }, { usage: { modelCalls: 5 } });
    expect(await several.agent.runText("x")).toMatchObject({ error: { details: { used: 5 } } });
    const unsaid = open({ modelCalls: 4 }, { usage: { modelCalls: undefined } });
    expect(await unsaid.agent.runText("x x x x x")).toMatchObject({ error: { details: { used: 5 } } });
  });
});

describe("a limit of tokens", () => {
  it("fails the turn that has used more, and rolls it back", async () => {
    const { agent, failedRow, messages } = open({ tokens: 100 });
    await agent.runText("60 40", { sessionId: "s" });
    const output = await agent.runText("60 41", { sessionId: "s" });
    const error = {
      status: "RESOURCE_EXHAUSTED",
      message: expect.stringMatching(/101 tokens of the 100.*limits\.tokens/),
      details: { limit: "tokens", allowed: 100, used: 101 },
    };
    expect(output).toMatchObject({ finishReason: "failed", error, usage: { modelCalls: 2, totalTokens: 101 } });
    expect(await failedRow()).toMatchObject({ status: "failed", error, usage: { totalTokens: 101 } });
    expect(await messages()).toEqual(["user: 60 40", "model: done"]);
  });

  it("adds up calls that name their total and calls that name their parts", async () => {
    const { agents } = createWorld();
    const left: number[] = [];
    const agent = agents.defineCustomAgent({ name: "a", limits: { tokens: 25 } }, async (session) => {
      await session.run(async (_input, turn) => {
        for (const usage of [{ totalTokens: 10 }, { inputTokens: 6, outputTokens: 4 }, { inputTokens: 5 }]) {
          turn.recordUsage(usage);
          left.push(turn.remaining().tokens);
        }
        turn.recordUsage({ outputTokens: 1 });
      });
    });
    expect(await agent.runText("x")).toMatchObject({ error: { details: { limit: "tokens", used: 26 } } });
    expect(left).toEqual([15, 5, 0]);
  });
});

describe("what remains", () => {
  it("is what the limits leave, never less than nothing", async () => {
    const world = createWorld();
    const gate = createGate();
    const remaining: unknown[] = [];
    const agent = world.agents.defineCustomAgent(
      { name: "a", limits: { timeMs: 1_000, modelCalls: 2, tokens: 50 } },
      async (session) => {
        await session.run(async (_input, turn) => {
          const look = () => remaining.push(turn.remaining());
          look();
          await gate.wait();
          turn.recordUsage({ inputTokens: 30, outputTokens: 10 });
          look();
          expect(() => turn.recordUsage({ totalTokens: 20 })).toThrow("60 tokens");
          look();
        });
      },
    );
    const output = agent.runText("x");
    await gate.reached();
    await world.clock.advance(400);
    gate.open();
    expect(await output).toMatchObject({ finishReason: "stop", usage: { modelCalls: 2 } });
    expect(remaining).toEqual([
      { timeMs: 1_000, modelCalls: 2, tokens: 50 },
      { timeMs: 600, modelCalls: 1, tokens: 10 },
      { timeMs: 600, modelCalls: 0, tokens: 0 },
    ]);
  });

  it("is without end where there is no limit", async () => {
    const { agent, turns } = open({});
    await agent.runText("1000000");
    const endless = Number.POSITIVE_INFINITY;
    expect(turns[0]?.remaining()).toEqual({ timeMs: endless, modelCalls: endless, tokens: endless });
  });
});

describe("a definition", () => {
  it.each([{ timeMs: 0 }, { timeMs: -1 }, { modelCalls: 0 }, { tokens: Number.NaN }, { tokens: -5 }])(
    "with the limits %j is refused, naming limit and value",
    (limits) => {
      const { agents } = createWorld();
      const [[limit, value] = []] = Object.entries(limits);
      expect(() => agents.defineCustomAgent({ name: "a", limits }, async () => {})).toThrow(
        expect.objectContaining({
          status: "INVALID_ARGUMENT",
          message: expect.stringContaining(`limits.${limit} is ${value}`),
        }),
      );
      expect(agents.registry.list()).toEqual([]);
    },
  );
});
