import { AgentError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";
import { collect, createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, transcript, withTurns } from "../../test/agent-world.ts";
import type { Agents } from "../index.ts";

/** An agent in a process whose connection to the store can be cut. */
function open() {
  const world = createWorld();
  const gate = createGate();
  let cut = false;
  const through =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (cut) throw new AgentError("UNAVAILABLE", "The store is away.");
      return call(...args);
    };
  const { turns, events } = world.store;
  const fragile: Store = {
    ...withTurns(world.store, {
      begin: through(turns.begin),
      settle: through(turns.settle),
      heartbeat: through(turns.heartbeat),
    }),
    events: { ...events, append: through(events.append) },
  };
  const define = (agents = world.agents, store: Store = world.store) =>
    agents.defineCustomAgent({ name: "worker", store }, async (session, { abortSignal, sendChunk }) => {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text;
        await sendChunk({ modelChunk: { content: [{ text: "…" }] } });
        if (text === "block") await gate.wait(abortSignal);
        session.addMessages(model(`re: ${text}`));
      });
      return session.result();
    });
  const setCut = (value: boolean) => {
    cut = value;
  };
  return { ...world, gate, define, agent: define(world.agents, fragile), setCut };
}

describe("a lease", () => {
  it("is renewed while the turn works, however long it takes", async () => {
    const { agent, gate, clock } = open();
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    await clock.advance(600_000);
    expect(await agent.getSnapshot((await stream.turnId()) as string)).toMatchObject({ status: "pending" });
    gate.open();
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
    await clock.advance(60_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it("that cannot be renewed aborts the turn's own work, and the row reads expired, unchanged", async () => {
    const { agent, gate, clock, setCut, define, another } = open();
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    setCut(true);
    await clock.advance(60_000);
    expect(await stream.output()).toMatchObject({ finishReason: "failed", error: { status: "UNAVAILABLE" } });
    const other = define(another());
    expect(await other.getSnapshot((await stream.turnId()) as string)).toMatchObject({ status: "expired", epoch: 1 });
  });

  it("that ran out reads expired, and a late heartbeat under the same epoch revives it", async () => {
    const { agent, gate, clock, store } = open();
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const snapshotId = (await stream.turnId()) as string;
    await store.turns.heartbeat([{ caller: { scope: "" }, lease: { snapshotId, sessionId: "s", epoch: 1 } }], 5);
    await clock.advance(10);
    expect(await agent.getSnapshot(snapshotId)).toMatchObject({ status: "expired" });
    expect(await agent.waitForSnapshot(snapshotId)).toMatchObject({ status: "expired" });
    await clock.advance(20_000);
    expect(await agent.getSnapshot(snapshotId)).toMatchObject({ status: "pending" });
    gate.open();
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
  });

  it("lasts for begin and settle: they are repeated until the store answers", async () => {
    const { agent, clock, setCut, gate } = open();
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    setCut(true);
    gate.open();
    await clock.advance(5_000);
    setCut(false);
    await clock.advance(5_000);
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
    await clock.advance(60_000);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("a crashed turn", () => {
  /** A turn whose process is gone for good: its lease ran out and its epoch still stands. */
  async function crash(world: ReturnType<typeof open>) {
    const { agent, gate, clock, setCut } = world;
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    await clock.advance(100);
    setCut(true);
    await clock.advance(60_000);
    await stream.output();
    setCut(false);
    return (await stream.turnId()) as string;
  }

  it("never blocks its session: the next send closes it as failed UNAVAILABLE and goes on from the head", async () => {
    const world = open();
    const first = await world.agent.runText("before", { sessionId: "s" });
    const crashed = await crash(world);
    const other = world.define(world.another());
    const next = await other.runText("after", { sessionId: "s" });
    expect(await other.getSnapshot(crashed)).toMatchObject({
      status: "failed",
      error: { status: "UNAVAILABLE" },
      epoch: 2,
    });
    const { state, parentId } = await other.getSnapshot(next.snapshotId as string);
    expect(parentId).toBe(first.snapshotId);
    expect(transcript(state?.messages).filter((line) => line.startsWith("user"))).toEqual([
      "user: before",
      "user: after",
    ]);
  });

  it("is taken over only on request, from its start, under a higher epoch, and those who follow it learn so", async () => {
    const world = open();
    await world.agent.runText("before", { sessionId: "s" });
    const crashed = await crash(world);
    const other = world.define(world.another());
    world.gate.open();
    const retried = other.retry(crashed);
    expect(await retried.output()).toMatchObject({
      finishReason: "stop",
      snapshotId: crashed,
      message: model("re: block"),
    });
    expect(await other.getSnapshot(crashed)).toMatchObject({ status: "completed", epoch: 2 });
    expect(transcript((await other.getLatestSnapshot("s")).state?.messages)).toEqual([
      "user: before",
      "model: re: before",
      "user: block",
      "model: re: block",
    ]);
    const followed = await collect(other.follow(crashed));
    expect(followed.map((item) => ("restarted" in item ? "restarted" : Object.keys(item.chunk)[0]))).toEqual([
      "modelChunk",
      "restarted",
      "modelChunk",
      "turnEnd",
    ]);
  });

  it("cannot be retried while it is live, after it ended, or where it is not known", async () => {
    const { agent, gate } = open();
    const done = await agent.runText("x");
    const stream = agent.streamText("block");
    await gate.reached();
    const refused = { status: "FAILED_PRECONDITION" };
    await expect(agent.retry(done.snapshotId as string).output()).rejects.toMatchObject(refused);
    await expect(agent.retry((await stream.turnId()) as string).output()).rejects.toMatchObject(refused);
    await expect(agent.retry("0123abcd.none").output()).rejects.toMatchObject({ status: "NOT_FOUND" });
    gate.open();
    await stream.output();
  });

  it("ends those who follow it with an error that says expired, never silently", async () => {
    const world = open();
    const crashed = await crash(world);
    const other = world.define(world.another());
    await expect(collect(other.follow(crashed))).rejects.toMatchObject({
      status: "UNAVAILABLE",
      details: { status: "expired" },
    });
  });

  it("is refused when its worker wakes up after another has closed it", async () => {
    const world = createWorld();
    const gate = createGate();
    // Time stands still for a worker that is frozen, and goes on for the store.
    const asleep = world.another({ clock: createManualClock() });
    const run = (agents: Agents) =>
      agents.defineCustomAgent({ name: "worker" }, async (session) => {
        await session.run(async (input) => {
          if (input.message?.content[0]?.text === "block") await gate.wait();
          session.addMessages(model("re"));
        });
      });
    const stalled = run(asleep).streamText("block", { sessionId: "s" });
    await gate.reached();
    await world.clock.advance(61_000);
    const other = run(world.another());
    await other.runText("meanwhile", { sessionId: "s" });
    gate.open();
    expect(await stalled.output()).toMatchObject({ finishReason: "failed", error: { status: "ABORTED" } });
    expect(transcript((await other.getLatestSnapshot("s")).state?.messages)).toEqual(["user: meanwhile", "model: re"]);
  });
});
