import { AgentError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, transcript, withTurns } from "../../test/agent-world.ts";

function open(options: object = {}) {
  const world = createWorld();
  const gate = createGate();
  const define = (agents = world.agents) =>
    agents.defineCustomAgent({ name: "blocking", ...options }, async (session, { abortSignal }) => {
      await session.run(async (input) => {
        session.addMessages(model("half"));
        if (input.message?.content[0]?.text === "block") await gate.wait(abortSignal);
      });
      return session.result();
    });
  return { ...world, gate, agent: define(), define };
}

describe("abort", () => {
  it("stops a foreground turn, tells its client, and rolls its changes back", async () => {
    const { agent, gate } = open();
    await agent.runText("first", { sessionId: "s" });
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const turnId = (await stream.turnId()) as string;
    expect(await agent.abort(turnId)).toEqual({ snapshotId: turnId, previousStatus: "pending", status: "aborting" });
    expect(await collect(stream)).toEqual([{ turnEnd: { finishReason: "aborted" } }]);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    expect(await agent.getSnapshot(turnId)).toMatchObject({ status: "aborted", finishReason: "aborted" });
    expect(transcript((await agent.getLatestSnapshot("s")).state?.messages)).toEqual(["user: first", "model: half"]);
  });

  it("stops a turn that ignores its signal, and keeps out what it does afterwards", async () => {
    const world = createWorld();
    const gate = createGate();
    let late: unknown;
    const agent = world.agents.defineCustomAgent({ name: "deaf" }, async (session) => {
      await session.run(async () => {
        await gate.wait();
        try {
          session.addMessages(model("too late"));
        } catch (error) {
          late = error;
        }
      });
    });
    const stream = agent.streamText("x", { sessionId: "s" });
    await gate.reached();
    await agent.abort((await stream.turnId()) as string);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    gate.open();
    await world.clock.advance(0);
    expect(late).toMatchObject({ status: "FAILED_PRECONDITION" });
  });

  it("ends a turn whose reader has stalled: neither the turn nor what it sends waits any longer", async () => {
    const world = createWorld();
    let sent = 0;
    let returned = false;
    const agent = world.agents.defineCustomAgent({ name: "a" }, async (session, { sendChunk, abortSignal }) => {
      await session.run(async () => {
        while (!abortSignal.aborted) {
          await sendChunk({ modelChunk: { content: [{ text: `${sent}` }] } });
          sent++;
        }
        returned = true;
      });
    });
    const stream = agent.streamText("x");
    const turnId = (await stream.turnId()) as string;
    await world.clock.advance(100);
    expect(sent).toBeLessThan(100);
    await agent.abort(turnId);
    await world.clock.advance(0);
    expect(await agent.getSnapshot(turnId)).toMatchObject({ status: "aborted" });
    expect(returned).toBe(true);
    const chunks = await collect(stream);
    expect(chunks.map(({ modelChunk }) => modelChunk?.content[0]?.text)).toEqual([
      ...Array.from({ length: sent }, (_, n) => `${n}`),
      undefined,
    ]);
    expect(chunks.at(-1)).toEqual({ turnEnd: { finishReason: "aborted" } });
  });

  it("ends a turn that waits for the last of its changes to be read", async () => {
    const { agents, clock } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async () => {
        for (let n = 0; n < 100; n++) session.addArtifacts({ name: `${n}`, parts: [] });
      });
    });
    const stream = agent.streamText("x");
    const turnId = (await stream.turnId()) as string;
    await clock.advance(100);
    expect(await agent.getSnapshot(turnId)).toMatchObject({ status: "pending" });
    await agent.abort(turnId);
    await clock.advance(0);
    expect(await agent.getSnapshot(turnId)).toMatchObject({ status: "aborted" });
    const seen = await collect(stream.positioned());
    expect(seen.at(-1)?.chunk).toEqual({ turnEnd: { finishReason: "aborted" } });
    expect(await collect(agent.follow(turnId))).toEqual(seen);
  });

  it("lets out what is being stored before turnEnd, so that the log holds what the client saw", async () => {
    const world = createWorld();
    const { events } = world.store;
    let answered = false;
    const store: Store = {
      ...world.store,
      events: {
        ...events,
        async append(...args) {
          if (answered) return events.append(...args);
          answered = true;
          throw new AgentError("UNAVAILABLE", "The store is away.");
        },
      },
    };
    const agent = world.agents.defineCustomAgent({ name: "a", store }, async (session) => {
      await session.run(async () => {
        session.addArtifacts({ name: "stored", parts: [] });
        session.addArtifacts({ name: "too late", parts: [] });
      });
    });
    const stream = agent.streamText("x");
    await world.clock.advance(0);
    expect(answered).toBe(true);
    await agent.abort((await stream.turnId()) as string);
    await world.clock.advance(1_000);
    const seen = await collect(stream.positioned());
    expect(seen.map(({ chunk }) => chunk.artifact?.name ?? chunk.turnEnd?.finishReason)).toEqual(["stored", "aborted"]);
    expect(await collect(agent.follow((await stream.turnId()) as string))).toEqual(seen);
  });

  it("reaches a turn of another process by hint", async () => {
    const { agent, gate, define, another, clock } = open();
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const other = define(another());
    expect(await other.abort((await stream.turnId()) as string)).toMatchObject({ previousStatus: "pending" });
    await clock.advance(250);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
  });

  it("reaches it by heartbeat when the hint is lost", async () => {
    const world = createWorld();
    const gate = createGate();
    const store = { ...world.store, hints: { watch: async () => async () => {} } };
    const define = (agents = world.agents) =>
      agents.defineCustomAgent({ name: "a", store }, async (session, { abortSignal }) => {
        await session.run(() => gate.wait(abortSignal));
      });
    const stream = define().streamText("x");
    await gate.reached();
    await define(world.another()).abort((await stream.turnId()) as string);
    await world.clock.advance(20_000);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
  });

  it("reaches it by the answer to an append when hints are lost, before a heartbeat is due", async () => {
    const world = createWorld();
    const gate = createGate();
    const store = { ...world.store, hints: { watch: async () => async () => {} } };
    const define = (agents = world.agents) =>
      agents.defineCustomAgent({ name: "a", store }, async (session, { sendChunk, abortSignal }) => {
        await session.run(async () => {
          await gate.wait(abortSignal);
          await sendChunk({ modelChunk: { content: [{ text: "on" }] } });
          await gate.wait(abortSignal);
        });
      });
    const stream = define().streamText("x");
    await gate.reached();
    await define(world.another()).abort((await stream.turnId()) as string);
    gate.open();
    await gate.reached();
    await world.clock.advance(100);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
  });

  it("is a no-op on a row that has ended, and answers an unknown id without a status", async () => {
    const { agent } = open();
    const { snapshotId } = await agent.runText("x");
    expect(await agent.abort(snapshotId as string)).toEqual({
      snapshotId,
      previousStatus: "completed",
      status: "completed",
    });
    expect(await agent.abort("0123abcd.unknown")).toEqual({ snapshotId: "0123abcd.unknown" });
    await expect(agent.abort("")).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
  });

  it("does not reach the turns of another agent, or of another tenant or owner", async () => {
    const { agent, agents, gate } = open();
    const stranger = agents.defineCustomAgent({ name: "stranger" }, async (session) => session.run(async () => {}));
    const stream = agent.streamText("block", { context: { scope: "a", subject: "me" } });
    await gate.reached();
    const turnId = (await stream.turnId()) as string;
    expect(await stranger.abort(turnId, { context: { scope: "a" } })).toEqual({ snapshotId: turnId });
    expect(await agent.abort(turnId, { context: { scope: "b" } })).toEqual({ snapshotId: turnId });
    expect(await agent.abort(turnId, { context: { scope: "a", subject: "you" } })).toEqual({ snapshotId: turnId });
    await expect(agent.getSnapshot(turnId, { context: { scope: "b" } })).rejects.toMatchObject({ status: "NOT_FOUND" });
    gate.open();
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
  });

  it("wins over a completion that is about to land", async () => {
    const world = createWorld();
    let arrived: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = createGate();
    const store = withTurns(world.store, {
      async settle(...args) {
        arrived?.();
        await gate.wait();
        return world.store.turns.settle(...args);
      },
    });
    const agent = world.agents.defineCustomAgent({ name: "a", store }, async (session) => {
      await session.run(async () => session.addMessages(model("done")));
      return session.result();
    });
    const stream = agent.streamText("x", { sessionId: "s" });
    await asked;
    const turnId = (await stream.turnId()) as string;
    expect(await agent.abort(turnId)).toMatchObject({ previousStatus: "pending", status: "aborting" });
    gate.open();
    expect(await collect(stream)).toEqual([{ turnEnd: { finishReason: "aborted" } }]);
    const output = await stream.output();
    expect(output).toMatchObject({ finishReason: "aborted" });
    expect(output.message).toBeUndefined();
    expect(await agent.getSnapshot(turnId)).toMatchObject({ status: "aborted" });
  });

  it("of a stale row is terminal at once: it has no worker left", async () => {
    const { agent, gate, define, another, clock, store } = open();
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const turnId = (await stream.turnId()) as string;
    // Its process stops renewing: from the outside that is a crash.
    await store.turns.heartbeat(
      [{ caller: { scope: "" }, lease: { snapshotId: turnId, sessionId: "s", epoch: 1 } }],
      1,
    );
    await clock.advance(2);
    const other = define(another());
    expect(await other.getSnapshot(turnId)).toMatchObject({ status: "expired" });
    expect(await other.abort(turnId)).toEqual({ snapshotId: turnId, previousStatus: "expired", status: "aborted" });
    expect(await collect(other.follow(turnId))).toEqual([
      { chunk: { turnEnd: { finishReason: "aborted" } }, position: "2-2" },
    ]);
  });

  it("with resumeFrom settled is a point to go on from, without the turn that was stopped", async () => {
    const { agent, gate } = open({ resumeFrom: "settled" });
    const first = await agent.runText("first", { sessionId: "s" });
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const turnId = (await stream.turnId()) as string;
    await agent.abort(turnId);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted", snapshotId: turnId });
    const next = await agent.runText("carry on", { snapshotId: turnId });
    const { state, parentId } = await agent.getSnapshot(next.snapshotId as string);
    expect(parentId).toBe(turnId);
    expect(transcript(state?.messages)).toEqual(["user: first", "model: half", "user: carry on", "model: half"]);
    expect(first.snapshotId).not.toBe(turnId);
  });
});

describe("the caller's own signal", () => {
  it("aborts a foreground turn: its row ends aborted", async () => {
    const { agent, gate } = open();
    const controller = new AbortController();
    const stream = agent.streamText("block", { sessionId: "s", signal: controller.signal });
    await gate.reached();
    controller.abort();
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    expect(await agent.getSnapshot((await stream.turnId()) as string)).toMatchObject({ status: "aborted" });
    expect(await agent.runText("next", { sessionId: "s" })).toMatchObject({ finishReason: "stop" });
  });

  it("fires the agent's signal with its reason", async () => {
    const { agents } = createWorld();
    const reason = new AgentError("CANCELLED", "enough");
    const controller = new AbortController();
    let seen: unknown;
    const agent = agents.defineCustomAgent({ name: "a" }, async (session, { abortSignal }) => {
      await session.run(async () => {
        controller.abort(reason);
        seen = abortSignal.reason;
      });
    });
    await agent.runText("x", { signal: controller.signal });
    expect(seen).toBe(reason);
  });

  it("during a begin whose answer was lost leaves no row that blocks the session", async () => {
    const world = createWorld();
    let asked = 0;
    const store = withTurns(world.store, {
      async begin(...args) {
        const answer = await world.store.turns.begin(...args);
        if (asked++ === 0) throw new AgentError("UNAVAILABLE", "The answer was lost.");
        return answer;
      },
    });
    const agent = world.agents.defineCustomAgent({ name: "a", store }, async (session) => {
      await session.run(async () => {});
    });
    const controller = new AbortController();
    const output = agent.runText("x", { sessionId: "s", signal: controller.signal });
    await world.clock.advance(10);
    controller.abort();
    expect(await output).toMatchObject({ finishReason: "aborted", snapshotIds: [] });
    await world.clock.advance(0);
    expect(await agent.listSnapshots({ sessionId: "s" })).toMatchObject({ snapshots: [{ status: "aborted" }] });
    expect(await agent.runText("y", { sessionId: "s" })).toMatchObject({ finishReason: "stop" });
  });

  it("after the turn has failed does not change why: what is told agrees with the row", async () => {
    const world = createWorld();
    const gate = createGate();
    const store = withTurns(world.store, {
      async settle(...args) {
        await gate.wait();
        return world.store.turns.settle(...args);
      },
    });
    const agent = world.agents.defineCustomAgent({ name: "a", store }, async (session) => {
      await session.run(() => Promise.reject(new Error("it broke")));
    });
    const controller = new AbortController();
    const stream = agent.streamText("x", { signal: controller.signal });
    await gate.reached();
    controller.abort();
    gate.open();
    const { finishReason, error } = await stream.output();
    expect({ finishReason, error }).toEqual({
      finishReason: "failed",
      error: { status: "INTERNAL", message: "it broke" },
    });
    expect(await agent.getSnapshot((await stream.turnId()) as string)).toMatchObject({ status: "failed", error });
  });

  it("that is aborted already starts nothing", async () => {
    const { agent } = open();
    await expect(agent.runText("x", { sessionId: "s", signal: AbortSignal.abort() })).rejects.toThrow();
    await expect(agent.getLatestSnapshot("s")).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("between two turns undoes nothing: what was done is the output", async () => {
    const { agent } = open();
    const controller = new AbortController();
    const connection = agent.connect({ sessionId: "s", signal: controller.signal });
    await connection.sendText("first");
    await collect(connection.receiveTurn());
    controller.abort();
    expect(await connection.output()).toMatchObject({ finishReason: "stop", message: model("half") });
  });

  it("ends a wait for a snapshot and a follow, not the turn", async () => {
    const { agent, gate } = open();
    const stream = agent.streamText("block");
    await gate.reached();
    const turnId = (await stream.turnId()) as string;
    const controller = new AbortController();
    const waiting = agent.waitForSnapshot(turnId, { signal: controller.signal });
    const following = collect(agent.follow(turnId, { signal: controller.signal }));
    waiting.catch(() => {});
    following.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    await expect(following).rejects.toThrow("left");
    gate.open();
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
  });
});
