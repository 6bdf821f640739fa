import type { AgentChunk } from "@agents/schema/agent";
import type { PositionedChunk, Store } from "@agents/schema/port";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, type Gate, model } from "../../test/agent-world.ts";
import type { Agent, AgentSession, Agents, AgentsOptions } from "../index.ts";

type Step = (session: AgentSession<{ n: number }>, sendChunk: (chunk: AgentChunk) => Promise<void>) => Promise<void>;

const sends =
  (chunk: object): Step =>
  (_session, sendChunk) =>
    sendChunk(chunk);

/** Every kind of chunk that there is. */
const STEPS: readonly Step[] = [
  sends({ modelChunk: { content: [{ text: "delta, with\nwhite space " }] } }),
  sends({ modelChunk: { role: "model", index: 1, content: [{ text: "of a role" }], metadata: { a: 1 } } }),
  sends({ modelChunk: { content: [{ reasoning: "thought" }] } }),
  sends({ modelChunk: { content: [{ reasoning: "thought" }, { text: "and said" }] } }),
  sends({ modelChunk: { role: "tool", content: [{ toolResponse: { name: "t", ref: "1", output: [null] } }] } }),
  sends({ modelChunk: { role: "tool", content: [{ text: "progress" }] } }),
  sends({ modelChunk: { content: [] } }),
  async (session) => session.updateCustom(() => ({ n: 1 })),
  async (session) => session.updateCustom(() => ({ n: 2 })),
  async (session) => session.addArtifacts({ name: "file", parts: [{ text: "x" }] }, { parts: [] }),
  sends({ status: { phase: "searching" } }),
  sends({ status: null }),
  sends({ custom: "of the application", more: [1] }),
  sends({ modelChunk: { content: [{ text: "beside" }] }, status: "a status", other: true }),
];

/** Takes a step whenever the gate lets it. */
function open(options: AgentsOptions = {}) {
  const world = createWorld(options);
  const gate = createGate();
  const define = (agents = world.agents) =>
    agents.defineCustomAgent({ name: "a", initialCustom: { n: 0 } }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (const step of STEPS) {
          await gate.wait();
          await step(session, sendChunk);
        }
        session.addMessages(model("done"));
      });
    });
  const letGo = (): void => {
    for (const _ of STEPS) gate.open();
  };
  return { ...world, gate, letGo, agent: define(), elsewhere: define(world.another(options)) };
}

const from = (agent: Pick<Agent, "follow">, turnId: string, after: string | undefined) =>
  agent.follow(turnId, after === undefined ? {} : { after });

/** The whole, and what is left of it after each position: what a reader may come back with. */
function suffixes(seen: readonly PositionedChunk[]) {
  return seen.map((_, index) => ({ after: seen[index - 1]?.position, rest: seen.slice(index) }));
}

describe("following a turn that has settled", () => {
  it.each(["agent", "elsewhere"] as const)(
    "replays exactly what the client saw, from every position: %s",
    async (who) => {
      const world = open();
      const stream = world.agent.streamText("go");
      world.letGo();
      const seen = await collect(stream.positioned());
      const turnId = (await stream.turnId()) as string;
      expect(seen).toHaveLength(18);
      for (const { after, rest } of suffixes(seen)) {
        expect(await collect(from(world[who], turnId, after))).toEqual(rest);
      }
      expect(await collect(from(world[who], turnId, seen.at(-1)?.position))).toEqual([]);
    },
  );

  it("goes on from an event that was no chunk: not every number is one", async () => {
    const { agent, letGo } = open();
    const stream = agent.streamText("go");
    letGo();
    const [first] = await collect(stream.positioned());
    expect(first?.position).toBe("1-2");
    const [again] = await collect(agent.follow((await stream.turnId()) as string, { after: "1-1" }));
    expect(again).toEqual(first);
  });
});

describe.each([
  ["in the same process", "agent", {}],
  ["from another process", "elsewhere", {}],
  ["from another process, with small batches", "elsewhere", { log: { batchSize: 2, flushMs: 10 } }],
] as const)("following a live turn %s", (_where, who, options) => {
  it("replays, then goes live without gap or repeat, from every position, however many follow", async () => {
    const world = open(options);
    const stream = world.agent.streamText("go");
    const reader = stream.positioned()[Symbol.asyncIterator]();
    const turnId = (await stream.turnId()) as string;
    const seen: PositionedChunk[] = [];
    const followers = [{ at: 0, chunks: collect(world[who].follow(turnId)) }];
    const read = async () => {
      const { value, done } = await reader.next();
      if (!done) seen.push(value);
      if (!done) followers.push({ at: seen.length, chunks: collect(from(world[who], turnId, value.position)) });
      return done !== true;
    };
    for (const _ of STEPS) {
      await world.gate.reached();
      world.gate.open();
      await read();
      await world.clock.advance(30);
    }
    while (await read());
    await world.clock.advance(2_000);
    expect(followers).toHaveLength(19);
    for (const { at, chunks } of followers) expect(await chunks).toEqual(seen.slice(at));
    await world.clock.advance(60_000);
    expect(world.clock.pendingTimers).toBe(0);
  });
});

describe("following in the same process", () => {
  it("hears a chunk at once, before it is stored", async () => {
    const { agent, gate, clock, store, letGo } = open();
    const stream = agent.streamText("go");
    const turnId = (await stream.turnId()) as string;
    const follower = agent.follow(turnId)[Symbol.asyncIterator]();
    const first = follower.next();
    await clock.advance(0);
    gate.open();
    expect(await first).toMatchObject({ value: { position: "1-2" } });
    const row = await store.turns.read({ scope: "" }, { snapshotId: turnId }, "meta");
    expect(row?.turn.lastSeq).toBe(1);
    await follower.return?.();
    letGo();
    await stream.output();
  });

  it("hears at once what was sent before it came and is not stored yet", async () => {
    const { agent, gate, letGo } = open();
    const stream = agent.streamText("go");
    const reader = stream.positioned()[Symbol.asyncIterator]();
    gate.open();
    const { value: sent } = await reader.next();
    const follower = agent.follow((await stream.turnId()) as string)[Symbol.asyncIterator]();
    expect((await follower.next()).value).toEqual(sent);
    await follower.return?.();
    letGo();
    await stream.output();
  });

  it("loses nothing of a turn that runs far ahead: a follower may be 1,024 events behind, and more", async () => {
    const world = createWorld();
    const gate = createGate();
    const agent = world.agents.defineCustomAgent({ name: "a" }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (let n = 0; n < 3_000; n++) {
          await sendChunk({ modelChunk: { content: [{ text: `${n}` }] } });
          if (n % 1_000 === 0) await gate.wait();
        }
      });
    });
    const stream = agent.streamText("go");
    const seen = collect(stream.positioned());
    const follower = agent.follow((await stream.turnId()) as string)[Symbol.asyncIterator]();
    const followed: unknown[] = [];
    const read = async () => {
      const { value, done } = await follower.next();
      if (!done) followed.push(value);
      return done !== true;
    };
    for (const further of [1, 0, 1_900]) {
      await gate.reached();
      await world.clock.advance(100);
      for (let n = 0; n < further; n++) await read();
      gate.open();
    }
    while (await read());
    expect(followed).toEqual(await seen);
    expect(followed).toHaveLength(3_001);
  });
});

describe("a follower of a turn that was taken over", () => {
  /** A worker that shows four chunks, of which the store has none, and is gone; its turn is run again elsewhere. */
  async function takeOver() {
    const world = createWorld();
    const [crash, hold] = [createGate(), createGate()];
    const lost = { ...world.store, events: { ...world.store.events, append: () => new Promise<never>(() => {}) } };
    const define = (agents: Agents, { on, say, at, gate }: { on: Store; say: string; at: number; gate: Gate }) =>
      agents.defineCustomAgent({ name: "a", store: on }, async (session, { sendChunk }) => {
        await session.run(async () => {
          for (let n = 0; n < 8; n++) {
            if (n === at) await gate.wait();
            await sendChunk({ modelChunk: { content: [{ text: `${say} ${n}` }] } });
          }
        });
      });
    const dead = define(world.agents, { on: lost, say: "void", at: 4, gate: crash }).streamText("go", {
      sessionId: "s",
    });
    const shown: PositionedChunk[] = [];
    await crash.reached();
    const turnId = (await dead.turnId()) as string;
    for await (const item of dead.positioned()) if (shown.push(item) === 4) break;
    const lease = { snapshotId: turnId, sessionId: "s", epoch: 1 };
    await world.store.turns.heartbeat([{ caller: { scope: "" }, lease }], 1);
    await world.clock.advance(5);
    const other = define(world.another(), { on: world.store, say: "valid", at: 7, gate: hold });
    const retried = other.retry(turnId);
    await hold.reached();
    return { ...world, turnId, shown, other, retried, hold };
  }

  const textOf = (item: object): unknown =>
    "restarted" in item ? "restarted" : (item as PositionedChunk).chunk.modelChunk?.content[0]?.text;

  it("learns that what it saw is void, and sees the turn from its new start, where it came back ahead of the store", async () => {
    const { turnId, shown, other, retried, hold, clock } = await takeOver();
    expect(shown.at(-1)?.position).toBe("1-5");
    const followed = collect(from(other, turnId, shown.at(-1)?.position));
    await clock.advance(200);
    hold.open();
    await retried.output();
    const valid = Array.from({ length: 8 }, (_, n) => `valid ${n}`);
    expect((await followed).map(textOf)).toEqual(["restarted", ...valid, undefined]);
  });
});
