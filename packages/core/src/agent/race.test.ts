import { setImmediate } from "node:timers/promises";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model, says, transcript } from "../../test/agent-world.ts";

function open(options: object = {}) {
  const world = createWorld({ memory: { maxTurnsPerSession: Number.POSITIVE_INFINITY } });
  const define = (agents = world.agents) =>
    agents.defineCustomAgent({ name: "a", initialCustom: { n: 0 }, ...options }, async (session) => {
      await session.run(async (input) => {
        session.updateCustom((draft) => {
          draft.n += 1;
        });
        session.addMessages(model(`re: ${input.message?.content[0]?.text}`));
      });
      return session.result();
    });
  return { ...world, agent: define(), define };
}

/** So many turns of the microtask queue: where exactly the abort meets the turn. */
async function steps(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await undefined;
}

describe("races", () => {
  it("of abort against completion, 1,000 times: one terminal status, and everybody was told the same", async () => {
    const { agent, define, another } = open();
    const other = define(another());
    const seen = { completed: 0, aborted: 0 };
    for (let round = 0; round < 1_000; round++) {
      const stream = agent.streamText(`${round}`, { sessionId: "s" });
      const chunks = collect(stream);
      const turnId = (await stream.turnId()) as string;
      await steps(round % 14);
      const answer = await (round % 2 === 0 ? agent : other).abort(turnId);
      const output = await stream.output();
      const { status } = await agent.getSnapshot(turnId);
      expect(["completed", "aborted"]).toContain(status);
      const told = status === "completed" ? "stop" : "aborted";
      expect(output.finishReason).toBe(told);
      expect((await chunks).at(-1)?.turnEnd?.finishReason).toBe(told);
      expect(answer.status === "completed").toBe(status === "completed");
      seen[status as keyof typeof seen]++;
    }
    expect(Math.min(seen.completed, seen.aborted)).toBeGreaterThan(50);
    const { state } = await agent.getLatestSnapshot("s");
    expect(state?.custom).toEqual({ n: seen.completed });
    expect(state?.messages).toHaveLength(2 * seen.completed);
  }, 60_000);

  it("of 200 concurrent sessions of 10 turns: each one line of its own", async () => {
    const { agent } = open();
    await Promise.all(
      Array.from({ length: 200 }, async (_, session) => {
        const sessionId = `session ${session}`;
        for (let turn = 0; turn < 10; turn++) await agent.runText(`${session}.${turn}`, { sessionId });
      }),
    );
    for (let session = 0; session < 200; session++) {
      const { state, ordinal } = await agent.getLatestSnapshot(`session ${session}`);
      expect(ordinal).toBe(10);
      expect(state?.custom).toEqual({ n: 10 });
      expect(transcript(state?.messages)).toEqual(
        Array.from({ length: 10 }, (_, turn) => [`user: ${session}.${turn}`, `model: re: ${session}.${turn}`]).flat(),
      );
    }
  }, 60_000);

  it("of 50 writers on one session, from several processes: one linear history or explicit conflicts", async () => {
    const { define, another, agent } = open();
    const writers = Array.from({ length: 50 }, () => define(another()));
    const written: string[] = [];
    let conflicts = 0;
    await Promise.all(
      writers.map(async (writer, index) => {
        for (let turn = 0; turn < 4; turn++) {
          await setImmediate();
          await writer.runText(`${index}.${turn}`, { sessionId: "s" }).then(
            () => written.push(`user: ${index}.${turn}`),
            (error) => {
              expect(error).toMatchObject({ status: "ABORTED" });
              conflicts++;
            },
          );
        }
      }),
    );
    expect(written.length + conflicts).toBe(200);
    const { state } = await agent.getLatestSnapshot("s");
    const users = transcript(state?.messages).filter((line) => line.startsWith("user"));
    expect([...users].sort()).toEqual([...written].sort());
    expect(state?.custom).toEqual({ n: written.length });
    const { snapshots } = await agent.listSnapshots({ sessionId: "s", limit: 1000 });
    expect(new Set(snapshots.map(({ parentId }) => parentId)).size).toBe(snapshots.length);
  }, 60_000);

  it("of 50 writers that queue: every message is there, once", async () => {
    const { define, another, agent, clock } = open({ concurrency: "queue" });
    const writers = Array.from({ length: 50 }, () => define(another()));
    let done = false;
    const all = Promise.all(writers.map((writer, index) => writer.runText(`${index}`, { sessionId: "s" })));
    void all.finally(() => {
      done = true;
    });
    while (!done) await clock.advance(1_000);
    await all;
    const { state } = await agent.getLatestSnapshot("s");
    expect(state?.custom).toEqual({ n: 50 });
    expect(new Set(transcript(state?.messages)).size).toBe(100);
  }, 60_000);

  it("of detach against the end of a turn: the row named always settles, with the message", async () => {
    const { agent } = open();
    for (let round = 0; round < 200; round++) {
      const connection = agent.connect({ sessionId: `s${round}` });
      await connection.send(says("work"));
      await steps(round % 50);
      const { snapshotId, finishReason } = await connection.detach();
      expect(finishReason).toBe("detached");
      const { status, state, parentId } = await agent.waitForSnapshot(snapshotId as string);
      expect(status).toBe("completed");
      expect(transcript(state?.messages)).toEqual(["user: work", "model: re: work"]);
      expect(parentId).not.toBe(snapshotId);
    }
  }, 60_000);

  it("of cancel at any moment of a turn: the output agrees with the row, and nothing is left running", async () => {
    const { agent, clock } = open();
    for (let round = 0; round < 300; round++) {
      const controller = new AbortController();
      const stream = agent.streamText("x", { sessionId: `s${round}`, signal: controller.signal });
      await steps(round % 60);
      controller.abort();
      const output = await stream.output().catch(() => undefined);
      const turnId = await stream.turnId();
      if (turnId === undefined) continue;
      const { status } = await agent.getSnapshot(turnId);
      expect(output?.finishReason).toBe(status === "completed" ? "stop" : "aborted");
    }
    await clock.advance(60_000);
    expect(clock.pendingTimers).toBe(0);
  }, 60_000);
});

describe("a slow reader", () => {
  it("slows the turn down instead of filling memory: nothing is dropped", async () => {
    const { agents } = createWorld();
    let sent = 0;
    const agent = agents.defineCustomAgent({ name: "a" }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (; sent < 1_000; sent++) await sendChunk({ modelChunk: { content: [{ text: `${sent}` }] } });
      });
    });
    const stream = agent.streamText("go");
    const texts: unknown[] = [];
    let ahead = 0;
    for await (const { modelChunk } of stream) {
      await setImmediate();
      if (modelChunk) texts.push(modelChunk.content[0]?.text);
      ahead = Math.max(ahead, sent - texts.length);
    }
    expect(texts).toEqual(Array.from({ length: 1_000 }, (_, n) => `${n}`));
    expect(ahead).toBeLessThanOrEqual(66);
  });

  it("is waited for by the next awaited send after synchronous changes", async () => {
    const { agents } = createWorld();
    let changed = 0;
    const agent = agents.defineCustomAgent({ name: "a", initialCustom: { n: 0 } }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (; changed < 500; changed++) {
          session.updateCustom((draft) => {
            draft.n += 1;
          });
          if (changed % 100 === 99) await sendChunk({ modelChunk: { content: [] } });
        }
      });
    });
    const stream = agent.streamText("go");
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    for (let n = 0; n < 5; n++) await setImmediate();
    expect(changed).toBeLessThan(200);
    let patches = 1;
    for (let next = await reader.next(); !next.done; next = await reader.next())
      patches += next.value.customPatch ? 1 : 0;
    expect(patches).toBe(500);
  });
});
