import type { SessionState } from "@agents/schema/agent";
import { collect, createMemoryTelemetry, type RecordedSpan } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, says } from "../../test/agent-world.ts";
import { openWatched } from "../../test/watched-agent.ts";

function all(spans: readonly RecordedSpan[]): RecordedSpan[] {
  return spans.flatMap((span) => [span, ...all(span.children)]);
}

describe("the spans of an invocation", () => {
  it("are one for the agent, and in it one for each turn, numbered from 1", async () => {
    const { agent, telemetry } = openWatched();
    const connection = agent.connect({ sessionId: "s" });
    for (const text of ["1", "2"]) await connection.sendText(text);
    const { snapshotIds = [], snapshotId } = await connection.output();
    const [span] = telemetry.spans;
    expect(telemetry.spans.map(({ name }) => name)).toEqual(["agent echo"]);
    expect(span?.children.map(({ name }) => name)).toEqual(["runTurn-1", "runTurn-2"]);
    expect(all(telemetry.spans).every(({ ended }) => ended)).toBe(true);
    expect(span?.attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "echo",
      "gen_ai.response.finish_reasons": ["stop"],
      "agent.session.id": "s",
      "agent.snapshot.id": snapshotId,
    });
    expect(span?.children.map(({ attributes }) => attributes)).toEqual(
      snapshotIds.map((id) => ({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.conversation.id": "s",
        "agent.session.id": "s",
        "agent.snapshot.id": id,
      })),
    );
  });

  it("have no snapshot where the client carries the state", async () => {
    const { agent, telemetry } = openWatched({ options: { stateManagement: "client", store: undefined } });
    const { sessionId } = await agent.runText("1");
    for (const span of all(telemetry.spans)) {
      expect(span.attributes).not.toHaveProperty("agent.snapshot.id");
      expect(span.attributes).toMatchObject({ "agent.session.id": sessionId });
    }
  });

  it("hold what the turn's own code reports", async () => {
    const telemetry = createMemoryTelemetry();
    const { agents } = createWorld({ telemetry });
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(() => telemetry.span("chat some-model", {}, async () => {}));
    });
    await agent.runText("1");
    const [turn] = telemetry.findSpans("runTurn-1");
    expect(turn?.children.map(({ name }) => name)).toEqual(["chat some-model"]);
  });

  it("tell a failure: the turn's span by its error, the agent's by its type", async () => {
    const { agent, telemetry } = openWatched();
    await agent.runText("bad");
    const [span] = telemetry.spans;
    expect(span?.attributes).toMatchObject({
      "gen_ai.response.finish_reasons": ["failed"],
      "error.type": "OUT_OF_RANGE",
    });
    expect(span?.children[0]?.error).toMatchObject({ status: "OUT_OF_RANGE" });
  });

  it("are none for a connection that had no turn, which counts as no operation either", async () => {
    const { agent, telemetry } = openWatched();
    await agent.connect({ sessionId: "s" }).output();
    expect(telemetry.spans).toEqual([]);
    expect(telemetry.counts).toEqual([]);
    expect(telemetry.records).toEqual([]);
  });

  it("are none for reads", async () => {
    const { agent, telemetry } = openWatched();
    const { snapshotId } = await agent.runText("1", { sessionId: "s" });
    await agent.getSnapshot(snapshotId as string);
    await agent.listSnapshots({ sessionId: "s" });
    await collect(agent.follow(snapshotId as string));
    expect(telemetry.spans).toHaveLength(1);
  });
});

describe("privacy", () => {
  const everything = ({ telemetry }: ReturnType<typeof openWatched>): string =>
    JSON.stringify([
      all(telemetry.spans).map(({ name, attributes, events }) => ({ name, attributes, events })),
      telemetry.counts,
      telemetry.records,
    ]);

  it("nothing of the state or the messages is in any attribute", async () => {
    const world = openWatched({ options: { limits: { timeMs: 1_000_000 } } });
    const { sessionId, snapshotId } = await world.agent.runText("secret question");
    await world.agent.runText("bad", { sessionId });
    await world.agent.run({ ...says("secret work"), detach: true }, { sessionId });
    await collect(world.agent.follow(snapshotId as string));
    expect(everything(world)).not.toContain("secret");
  });

  it("the custom state is there where that was asked for, as clients would see it, and not where it cannot be shown", async () => {
    const state = ({ custom, ...rest }: SessionState<{ word: string }>) => ({
      ...rest,
      custom: { word: `*${custom?.word.length}` },
    });
    const shown = openWatched({ agents: { recordState: true }, options: { clientTransform: { state } } });
    await shown.agent.runText("secret question");
    expect(shown.telemetry.findSpans("runTurn-1")[0]?.attributes).toMatchObject({
      "agent.state.custom": '{"word":"*10"}',
    });
    expect(everything(shown)).not.toContain("secret");
    const denies = () => Promise.reject(new Error("no"));
    const hidden = openWatched({ agents: { recordState: true }, options: { clientTransform: { state: denies } } });
    await hidden.agent.runText("secret question");
    expect(everything(hidden)).not.toMatch(/secret|agent\.state/);
  });

  it("a state that takes forever to be shown does not hold up an abort", async () => {
    let asked = false;
    const state = () => {
      asked = true;
      return new Promise<never>(() => {});
    };
    const { agent, clock, gate } = openWatched({
      agents: { recordState: true },
      options: { clientTransform: { state } },
    });
    const stream = agent.streamText("1");
    gate.open();
    await clock.advance(0);
    expect(asked).toBe(true);
    await agent.abort((await stream.turnId()) as string);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
  });
});
