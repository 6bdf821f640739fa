import { AgentError } from "@agents/schema/error";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, says, transcript, withTurns } from "../../test/agent-world.ts";
import type { Concurrency } from "../index.ts";

function open(concurrency?: Concurrency, options: object = {}) {
  const world = createWorld();
  const gate = createGate();
  const define = (agents = world.agents) =>
    agents.defineCustomAgent(
      { name: "a", ...(concurrency && { concurrency }), ...options },
      async (session, { abortSignal }) => {
        await session.run(async (input) => {
          const text = input.message?.content[0]?.text ?? "";
          if (text.startsWith("block")) await gate.wait(abortSignal);
          session.addMessages(model(`re: ${text}`));
        });
        return session.result();
      },
    );
  const users = async () =>
    transcript((await agent.getLatestSnapshot("s")).state?.messages).filter((line) => line.startsWith("user"));
  const agent = define();
  return { ...world, gate, agent, define, users };
}

describe("two messages at once", () => {
  it("are rejected by default, with ABORTED naming the turn, and nothing is changed", async () => {
    const { agent, gate, users } = open();
    const first = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    await expect(agent.runText("second", { sessionId: "s" })).rejects.toMatchObject({
      status: "ABORTED",
      details: { turnId: await first.turnId() },
    });
    gate.open();
    await first.output();
    expect(await users()).toEqual(["user: block"]);
  });

  it("follow the rule while a background turn runs, too", async () => {
    const { agent, gate } = open();
    const { snapshotId } = await agent.run({ ...says("block"), detach: true }, { sessionId: "s" });
    await gate.reached();
    await expect(agent.runText("second", { sessionId: "s" })).rejects.toMatchObject({ status: "ABORTED" });
    gate.open();
    await agent.waitForSnapshot(snapshotId as string);
    expect(await agent.runText("third", { sessionId: "s" })).toMatchObject({ finishReason: "stop" });
  });

  it("while a background turn runs: with queue the second waits for it, whoever sends it", async () => {
    const { agent, gate, clock, define, another, users } = open("queue");
    const { snapshotId } = await agent.run({ ...says("block"), detach: true }, { sessionId: "s" });
    await gate.reached();
    const sent = [agent, define(another())].map((one, n) => one.runText(`after ${n}`, { sessionId: "s" }));
    await clock.advance(1_000);
    expect(await agent.getSnapshot(snapshotId as string)).toMatchObject({ status: "pending" });
    gate.open();
    await clock.advance(10_000);
    for (const output of await Promise.all(sent)) expect(output).toMatchObject({ finishReason: "stop" });
    expect((await users())[0]).toBe("user: block");
    expect((await users()).slice(1).sort()).toEqual(["user: after 0", "user: after 1"]);
  });

  it.each([true, false])(
    "while a background turn runs: with interrupt it ends aborted, in this process: %s",
    async (here) => {
      const { agent, gate, clock, define, another, users } = open("interrupt");
      await agent.runText("base", { sessionId: "s" });
      const { snapshotId } = await agent.run({ ...says("block"), detach: true }, { sessionId: "s" });
      await gate.reached();
      const sender = here ? agent : define(another());
      expect(await sender.runText("second", { sessionId: "s" })).toMatchObject({ finishReason: "stop" });
      await clock.advance(1_000);
      expect(await agent.waitForSnapshot(snapshotId as string)).toMatchObject({ status: "aborted" });
      expect(await users()).toEqual(["user: base", "user: second"]);
    },
  );

  it("while a background turn runs: with fork both go on from the same parent", async () => {
    const { agent, gate } = open("fork");
    const base = await agent.runText("base", { sessionId: "s" });
    const { snapshotId } = await agent.run({ ...says("block"), detach: true }, { sessionId: "s" });
    await gate.reached();
    const beside = await agent.runText("second", { sessionId: "s" });
    gate.open();
    const one = await agent.waitForSnapshot(snapshotId as string);
    const two = await agent.getSnapshot(beside.snapshotId as string);
    expect([one.parentId, two.parentId]).toEqual([base.snapshotId, base.snapshotId]);
    expect(transcript(one.state?.messages)).not.toContain("user: second");
  });

  it("wait in order with queue, in one process and from another", async () => {
    const { agent, gate, define, another, users, clock } = open("queue");
    const first = agent.runText("block", { sessionId: "s" });
    await gate.reached();
    const waiting = [1, 2, 3].map((n) => agent.runText(`queued ${n}`, { sessionId: "s" }));
    const elsewhere = define(another()).runText("elsewhere", { sessionId: "s" });
    await clock.advance(0);
    gate.open();
    await first;
    await Promise.all(waiting);
    await clock.advance(2_000);
    await elsewhere;
    const order = await users();
    expect(order.filter((line) => line.includes("queued"))).toEqual([
      "user: queued 1",
      "user: queued 2",
      "user: queued 3",
    ]);
    expect(order).toHaveLength(5);
    await clock.advance(60_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it("that wait in a queue wait on when the store is away for a moment", async () => {
    const world = createWorld();
    const gate = createGate();
    let lost = 0;
    const store = withTurns(world.store, {
      async read(...args) {
        if (lost++ % 2 === 0) throw new AgentError("UNAVAILABLE", "away");
        return world.store.turns.read(...args);
      },
    });
    const agent = world.agents.defineCustomAgent({ name: "a", concurrency: "queue", store }, async (session) => {
      await session.run(async (input) => {
        if (input.message?.content[0]?.text === "block") await gate.wait();
      });
    });
    const first = agent.runText("block", { sessionId: "s" });
    await gate.reached();
    const second = agent.runText("second", { sessionId: "s" });
    await world.clock.advance(5_000);
    gate.open();
    await first;
    await world.clock.advance(5_000);
    expect(await second).toMatchObject({ finishReason: "stop" });
    expect(lost).toBeGreaterThan(2);
  });

  it("that wait in a queue can be given up by their caller", async () => {
    const { agent, gate, users, clock } = open("queue");
    const first = agent.runText("block", { sessionId: "s" });
    await gate.reached();
    const controller = new AbortController();
    const second = agent.runText("second", { sessionId: "s", signal: controller.signal });
    second.catch(() => {});
    const third = agent.runText("third", { sessionId: "s" });
    await clock.advance(0);
    controller.abort();
    await expect(second).resolves.toMatchObject({ finishReason: "aborted" });
    gate.open();
    await Promise.all([first, third]);
    expect(await users()).toEqual(["user: block", "user: third"]);
  });

  it("interrupt the one that runs: it ends aborted, and the new one starts from the head without waiting", async () => {
    const { agent, gate, users } = open("interrupt");
    await agent.runText("base", { sessionId: "s" });
    const first = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    expect(await agent.runText("second", { sessionId: "s" })).toMatchObject({ finishReason: "stop" });
    expect(await first.output()).toMatchObject({ finishReason: "aborted" });
    expect(await agent.getSnapshot((await first.turnId()) as string)).toMatchObject({ status: "aborted" });
    expect(await users()).toEqual(["user: base", "user: second"]);
  });

  it("fork where the agent says so: both go on from the same parent", async () => {
    const { agent, gate } = open("fork");
    const base = await agent.runText("base", { sessionId: "s" });
    const first = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const second = await agent.runText("second", { sessionId: "s" });
    gate.open();
    const one = await agent.getSnapshot((await first.output()).snapshotId as string);
    const two = await agent.getSnapshot(second.snapshotId as string);
    expect([one.parentId, two.parentId]).toEqual([base.snapshotId, base.snapshotId]);
    expect(transcript(one.state?.messages)).not.toContain("user: second");
  });

  it("never fork silently: three sends at once give one turn and two conflicts", async () => {
    const { agent, users } = open();
    const results = await Promise.allSettled([1, 2, 3].map((n) => agent.runText(`${n}`, { sessionId: "s" })));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await users()).toHaveLength(1);
  });

  it("on a chat are sends to one session from its first message on", async () => {
    const { agent } = open("queue");
    const chat = agent.chat();
    await Promise.all([1, 2, 3].map((n) => chat.send(`${n}`).output()));
    const { snapshots } = await agent.listSnapshots({ sessionId: chat.sessionId as string });
    expect(snapshots).toHaveLength(3);
    expect(new Set(snapshots.map(({ parentId }) => parentId)).size).toBe(3);
  });

  it("by snapshot are explicit branches and always allowed", async () => {
    const { agent, gate } = open();
    const { snapshotId } = await agent.runText("base", { sessionId: "s" });
    const first = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const branch = await agent.runText("branch", { snapshotId: snapshotId as string });
    expect(await agent.getSnapshot(branch.snapshotId as string)).toMatchObject({ parentId: snapshotId });
    gate.open();
    await first.output();
  });
});

describe("a forked session", () => {
  async function fork(options: object = {}) {
    const world = open(undefined, options);
    const base = await world.agent.runText("base", { sessionId: "s" });
    await world.agent.runText("one", { sessionId: "s" });
    const branch = await world.agent.runText("two", { snapshotId: base.snapshotId as string });
    return { ...world, base, branch };
  }

  it("resolves to its newest branch", async () => {
    const { agent, branch, users } = await fork();
    expect((await agent.getLatestSnapshot("s")).snapshotId).toBe(branch.snapshotId);
    await agent.runText("three", { sessionId: "s" });
    expect(await users()).toEqual(["user: base", "user: two", "user: three"]);
  });

  it("is FAILED_PRECONDITION where the agent rejects forks, as an outcome", async () => {
    const { agent } = await fork({ ifForked: "reject" });
    expect(await agent.runText("three", { sessionId: "s" })).toMatchObject({
      finishReason: "failed",
      error: { status: "FAILED_PRECONDITION" },
    });
  });
});
