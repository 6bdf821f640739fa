import { makeSnapshotId, sessionRoute } from "@agents/schema/hash";
import type { Store } from "@agents/schema/port";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, without } from "../../test/agent-world.ts";
import type { Agents } from "../index.ts";

const HERE = { scope: "" };

/** Streams "1", waits at the gate, streams "2"; a message "bad" fails. Counts who watches the store's hints. */
function open(change: (store: Store) => Store = (store) => store) {
  const world = createWorld();
  const gate = createGate();
  let watching = 0;
  const { hints } = world.store;
  const store = change({
    ...world.store,
    hints: {
      async watch(...args) {
        const stop = await hints.watch(...args);
        watching++;
        return async () => {
          watching--;
          await stop();
        };
      },
    },
  });
  const define = (agents: Agents = world.agents, name = "a") =>
    agents.defineCustomAgent({ name, store }, async (session, { sendChunk, abortSignal }) => {
      await session.run(async (input) => {
        await sendChunk({ modelChunk: { content: [{ text: "1" }] } });
        await gate.wait(abortSignal);
        await sendChunk({ modelChunk: { content: [{ text: "2" }] } });
        if (input.message?.content[0]?.text === "bad") throw new Error("it broke");
      });
    });
  const agent = define();
  const start = async (text = "go", options: object = {}) => {
    const stream = agent.streamText(text, { sessionId: "s", ...options });
    const turnId = (await stream.turnId()) as string;
    await gate.reached();
    return { stream, turnId };
  };
  return { ...world, gate, define, agent, elsewhere: define(world.another()), start, watching: () => watching };
}

const at = (position: string, chunk: object) => ({ chunk, position });
const text = (said: string) => ({ modelChunk: { content: [{ text: said }] } });

describe("a follow ends", () => {
  it("with turnEnd, when the turn is aborted", async () => {
    const { agent, elsewhere, start, clock } = open();
    const { turnId } = await start();
    const followed = [agent, elsewhere].map((one) => collect(one.follow(turnId)));
    await clock.advance(100);
    await agent.abort(turnId);
    await clock.advance(2_000);
    const seen = [at("1-2", text("1")), at("1-3", { turnEnd: { finishReason: "aborted" } })];
    expect(await Promise.all(followed)).toEqual([seen, seen]);
    expect(await collect(elsewhere.follow(turnId))).toEqual(seen);
  });

  it("with turnEnd, when the turn fails", async () => {
    const { agent, elsewhere, start, gate, clock } = open();
    const { turnId } = await start("bad");
    const followed = [agent, elsewhere].map((one) => collect(one.follow(turnId)));
    gate.open();
    await clock.advance(2_000);
    const seen = [at("1-2", text("1")), at("1-3", text("2")), at("1-4", { turnEnd: { finishReason: "failed" } })];
    expect(await Promise.all(followed)).toEqual([seen, seen]);
  });

  it("with an error that says expired, when the worker falls silent, after all that is stored", async () => {
    const { elsewhere, start, store, clock } = open();
    const { turnId } = await start();
    await clock.advance(100);
    const follower = elsewhere.follow(turnId)[Symbol.asyncIterator]();
    expect(await follower.next()).toMatchObject({ value: at("1-2", text("1")) });
    await store.turns.heartbeat([{ caller: HERE, lease: { snapshotId: turnId, sessionId: "s", epoch: 1 } }], 1);
    const next = follower.next();
    next.catch(() => {});
    await clock.advance(1_000);
    await expect(next).rejects.toMatchObject({
      status: "UNAVAILABLE",
      details: { snapshotId: turnId, status: "expired" },
    });
  });

  it("with turnEnd without a position, when the worker fell silent while it was asked to stop: it reads aborted", async () => {
    const { elsewhere, start, store, clock } = open((all) => ({
      ...all,
      turns: { ...all.turns, settle: () => new Promise<never>(() => {}) },
    }));
    const { turnId } = await start();
    await clock.advance(100);
    await elsewhere.abort(turnId);
    await store.turns.heartbeat([{ caller: HERE, lease: { snapshotId: turnId, sessionId: "s", epoch: 1 } }], 1);
    await clock.advance(5);
    expect(await elsewhere.getSnapshot(turnId)).toMatchObject({ status: "aborted" });
    expect(await collect(elsewhere.follow(turnId))).toEqual([
      at("1-2", text("1")),
      { chunk: { turnEnd: { finishReason: "aborted" } } },
    ]);
  });

  it("with the event that another process closes the turn with", async () => {
    const { elsewhere, start, store, clock, gate } = open((all) => ({
      ...all,
      turns: { ...all.turns, heartbeat: () => new Promise<never>(() => {}) },
    }));
    const { turnId } = await start();
    await clock.advance(100);
    const follower = elsewhere.follow(turnId)[Symbol.asyncIterator]();
    await follower.next();
    const next = follower.next();
    await store.turns.heartbeat([{ caller: HERE, lease: { snapshotId: turnId, sessionId: "s", epoch: 1 } }], 1);
    await clock.advance(5);
    expect(await elsewhere.abort(turnId)).toMatchObject({ previousStatus: "expired", status: "aborted" });
    expect(await next).toMatchObject({ value: at("2-3", { turnEnd: { finishReason: "aborted" } }) });
    expect(await follower.next()).toMatchObject({ done: true });
    gate.open();
  });

  it("without a word where the events of a settled turn were pruned", async () => {
    const { agent, start, gate, store, clock } = open();
    const { stream, turnId } = await start();
    gate.open();
    await stream.output();
    await clock.advance(1_000);
    await store.index.prune(HERE, "s", { eventsOlderThanMs: 1 }, 10);
    expect(await collect(agent.follow(turnId))).toEqual([]);
  });
});

describe("leaving a follow early", () => {
  it.each(["agent", "elsewhere"] as const)("leaves neither timer nor listener: %s", async (who) => {
    const world = open();
    const { stream, turnId } = await world.start();
    await world.clock.advance(100);
    const before = [world.watching(), world.clock.pendingTimers];
    for await (const item of world[who].follow(turnId)) {
      expect(item).toEqual(at("1-2", text("1")));
      break;
    }
    expect([world.watching(), world.clock.pendingTimers]).toEqual(before);
    world.gate.open();
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
  });

  it("by its signal ends a wait with the signal's reason, and leaves nothing", async () => {
    const { agent, start, watching, clock, gate } = open();
    const { stream, turnId } = await start();
    await clock.advance(100);
    const before = [watching(), clock.pendingTimers];
    const controller = new AbortController();
    const followed = collect(agent.follow(turnId, { signal: controller.signal }));
    followed.catch(() => {});
    await clock.advance(0);
    expect([watching(), clock.pendingTimers]).not.toEqual(before);
    controller.abort(new Error("enough"));
    await expect(followed).rejects.toThrow("enough");
    expect([watching(), clock.pendingTimers]).toEqual(before);
    await expect(collect(agent.follow(turnId, { signal: controller.signal }))).rejects.toThrow("enough");
    gate.open();
    expect(await stream.output()).toMatchObject({ finishReason: "stop" });
  });

  it("before it has begun costs nothing", async () => {
    const { agent, start, watching, clock, gate } = open();
    const { stream, turnId } = await start();
    const before = [watching(), clock.pendingTimers];
    agent.follow(turnId);
    await clock.advance(0);
    expect([watching(), clock.pendingTimers]).toEqual(before);
    gate.open();
    await stream.output();
  });
});

describe("a follow is refused", () => {
  it.each(["", "1", "1-", "-1", "1-2-3", "-1-2", "01-2", " 1-2", "1-2 ", "a-b", "1-1000000000000000000"])(
    "for %j, which is no position",
    (after) => {
      const { agent } = open();
      expect(() => agent.follow("0123abcd.x", { after })).toThrow(
        expect.objectContaining({ status: "INVALID_ARGUMENT", message: expect.stringContaining("is not a position") }),
      );
    },
  );

  it("by a store without events, naming the part", () => {
    const { agent } = open((store) => without(store, "events"));
    expect(() => agent.follow("0123abcd.x")).toThrow(
      expect.objectContaining({
        status: "FAILED_PRECONDITION",
        message: expect.stringContaining('"events"'),
        details: { part: "events" },
      }),
    );
  });

  it("for a turn that is not there, another agent's, another tenant's or another owner's", async () => {
    const { agent, agents, define, start, gate } = open();
    const mine = { context: { scope: "mine", subject: "me" } };
    const { stream, turnId } = await start("go", mine);
    const missing = { status: "NOT_FOUND" };
    await expect(collect(agent.follow("0123abcd.x"))).rejects.toMatchObject(missing);
    await expect(collect(define(agents, "stranger").follow(turnId, mine))).rejects.toMatchObject(missing);
    await expect(collect(agent.follow(turnId))).rejects.toMatchObject(missing);
    const you = { scope: "mine", subject: "you" };
    await expect(collect(agent.follow(turnId, { context: you }))).rejects.toMatchObject(missing);
    gate.open();
    await stream.output();
    expect(await collect(agent.follow(turnId, mine))).toHaveLength(3);
  });
});

describe("a private event", () => {
  it("never leaves, and its number is skipped", async () => {
    const { agent, store } = open();
    const snapshotId = makeSnapshotId(sessionRoute("s"), "00000000-0000-4000-8000-00000000000f");
    const event = (type: string, data: object, visibility = "public") =>
      JSON.stringify({ type, data, visibility, source: "agent", createdAt: "2024-01-01T00:00:00.000Z" });
    const closing = { result: '{"finishReason":"failed"}', events: [] };
    const begun = await store.turns.begin(HERE, {
      snapshotId,
      agent: "a",
      from: { sessionId: "s", create: true, ifActive: "reject", ifForked: "newest" },
      resumable: ["completed"],
      writer: "w",
      input: "{}",
      leaseMs: 60_000,
      known: [],
      events: { firstSeq: 1, events: [event("turn.started", { turnIndex: 0 })] },
      lost: { pending: { status: "failed", ...closing }, aborting: { status: "aborted", ...closing }, heads: [] },
    });
    if (begun.type !== "begun") throw new Error(begun.type);
    const events = [
      event("assistant.delta", { chunk: { content: [{ text: "secret" }] } }, "private"),
      event("status.updated", { status: "secret" }, "private"),
      event("custom.chunk", { secret: 1 }, "private"),
      event("assistant.delta", { chunk: { content: [{ text: "shown" }] } }),
      event("turn.completed", { turnEnd: { finishReason: "stop" } }),
    ];
    const batch = { firstSeq: 2, events };
    const outcome = { result: '{"finishReason":"stop"}', events: batch };
    await store.turns.settle(HERE, begun.lease, {
      pending: { status: "completed", ...outcome },
      aborting: { status: "aborted", ...outcome },
      heads: [],
    });
    expect(await collect(agent.follow(snapshotId))).toEqual([
      at("1-5", text("shown")),
      at("1-6", { turnEnd: { finishReason: "stop" } }),
    ]);
    expect(await collect(agent.follow(snapshotId, { after: "1-3" }))).toHaveLength(2);
  });
});
