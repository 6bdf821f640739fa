import { createMemoryStore } from "@agents/store-memory";
import { describe, expect, it } from "vitest";
import { createWorld, transcript } from "../../test/agent-world.ts";
import { doing, talkativeAgent } from "../../test/talkative-agent.ts";
import { pruneSessions, systemClock } from "../index.ts";

const HERE = { scope: "" };

async function open({ sessions = 3, turns = 12 } = {}) {
  const world = createWorld({ memory: { maxTurnsPerSession: Number.POSITIVE_INFINITY } });
  const agent = talkativeAgent(world.agents);
  for (let session = 0; session < sessions; session++) {
    for (let turn = 0; turn < turns; turn++) {
      await agent.run(doing({ say: [`${turn}`] }), { sessionId: `s${session}` });
    }
  }
  const rows = async (sessionId: string) =>
    (await world.store.index.listTurns(HERE, sessionId, { limit: 1_000 })).items.length;
  return { ...world, agent, rows };
}

describe("pruneSessions", () => {
  it("keeps the newest turns of every session, and says what it dropped", async () => {
    const { store, rows } = await open();
    const report = await pruneSessions(store, { keepLast: 5 });
    expect(report).toEqual({ sessions: 3, dropped: 21, batches: 3, complete: true });
    expect([await rows("s0"), await rows("s1"), await rows("s2")]).toEqual([5, 5, 5]);
    expect((await pruneSessions(store, { keepLast: 5 })).dropped).toBe(0);
  });

  it("looks at the named sessions alone, and passes over one that is gone", async () => {
    const { store, rows } = await open();
    const report = await pruneSessions(store, { keepLast: 1, sessions: ["s1", "gone"] });
    expect(report).toMatchObject({ sessions: 2, dropped: 11 });
    expect([await rows("s0"), await rows("s1")]).toEqual([12, 1]);
  });

  it("meets every session of many pages, of its caller alone", async () => {
    const store = createMemoryStore();
    for (const scope of ["", "elsewhere"]) {
      for (let n = 0; n < 250; n++) await store.index.createSession({ scope }, { sessionId: `${n}`, agent: "a" });
    }
    expect((await pruneSessions(store, { keepLast: 1 })).sessions).toBe(250);
    expect((await pruneSessions(store, { keepLast: 1, caller: { scope: "nobody" } })).sessions).toBe(0);
  });

  it("drops no more under one lock than the limit", async () => {
    const { store } = await open({ sessions: 1, turns: 11 });
    const asked: number[] = [];
    const { index } = store;
    const watched = {
      ...store,
      index: {
        ...index,
        async prune(...args: Parameters<typeof index.prune>) {
          const step = await index.prune(...args);
          asked.push(step.dropped);
          return step;
        },
      },
    };
    expect(await pruneSessions(watched, { keepLast: 1, limit: 4 })).toMatchObject({ dropped: 10, batches: 3 });
    expect(asked).toEqual([4, 4, 2]);
  });

  it("drops by age, and events by an age of their own", async () => {
    const { store, clock, agent, rows } = await open({ sessions: 1, turns: 4 });
    const first = (await store.index.listTurns(HERE, "s0", { limit: 1 })).items[0]?.snapshotId as string;
    await clock.advance(10_000);
    await agent.run(doing({ say: ["late"] }), { sessionId: "s0" });
    await pruneSessions(store, { eventsOlderThanMs: 5_000 });
    expect(await rows("s0")).toBe(5);
    const page = await store.events.readEvents(HERE, first, { after: { epoch: 0, seq: 0 }, limit: 10 });
    expect(page?.events).toEqual([]);
    expect(await pruneSessions(store, { olderThanMs: 5_000 })).toMatchObject({ dropped: 4 });
    expect(await pruneSessions(store, { olderThanMs: 5_000, keepLast: 1 })).toMatchObject({ dropped: 0 });
  });

  it("ends after the batch in flight when it is cancelled, and says so", async () => {
    const { store } = await open({ sessions: 2, turns: 11 });
    const stop = new AbortController();
    const clock = {
      ...systemClock,
      setTimer(ms: number, callback: () => void) {
        stop.abort();
        return systemClock.setTimer(ms, callback);
      },
    };
    const report = await pruneSessions(store, { keepLast: 1, limit: 3, signal: stop.signal, clock });
    expect(report).toEqual({ sessions: 0, dropped: 3, batches: 1, complete: false });
    const resumed = await pruneSessions(store, { keepLast: 1 });
    expect(resumed).toMatchObject({ dropped: 17, complete: true });
  });

  it("harms no turn that runs beside it", async () => {
    const { store, agent } = await open({ sessions: 2, turns: 3 });
    const stop = new AbortController();
    let dropped = 0;
    const pruning = (async () => {
      while (!stop.signal.aborted) {
        dropped += (await pruneSessions(store, { keepLast: 1, limit: 2 })).dropped;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const said = ["s0", "s1"].map(async (sessionId) => {
      for (let turn = 3; turn < 60; turn++) {
        const { finishReason } = await agent.run(doing({ say: [`${turn}`] }), { sessionId });
        expect(finishReason).toBe("stop");
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    await Promise.all(said);
    stop.abort();
    await pruning;
    expect(dropped).toBeGreaterThan(50);
    for (const sessionId of ["s0", "s1"]) {
      const { state, snapshotId } = await agent.getLatestSnapshot(sessionId);
      const lines = transcript(state?.messages).filter((line) => line.startsWith("model"));
      expect(lines).toEqual(Array.from({ length: 60 }, (_, turn) => `model: ${turn}`));
      await agent.verifySnapshot(snapshotId);
    }
  });

  it.each([
    [{}, /at least one of/],
    [{ keepLast: 0 }, /keepLast is 0/],
    [{ keepLast: 1.5 }, /keepLast is 1.5/],
    [{ olderThanMs: -1 }, /olderThanMs is -1/],
    [{ eventsOlderThanMs: Number.NaN }, /eventsOlderThanMs is NaN/],
    [{ keepLast: 1, limit: 0 }, /limit is 0/],
  ])("rejects %j", async (options, message) => {
    const attempt = pruneSessions(createMemoryStore(), options);
    await expect(attempt).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    await expect(attempt).rejects.toThrow(message);
  });
});
