import { setImmediate } from "node:timers/promises";
import type { AgentChunk } from "@agents/schema/agent";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import {
  createGate,
  createWorld,
  model,
  says,
  storedEvents,
  transcript,
  user,
  withTurns,
} from "../../test/agent-world.ts";
import type { AgentCall, AgentFunction, ClientTransform } from "../index.ts";

/** An agent whose turns do as they are told. */
function open(clientTransform: ClientTransform, work: (call: AgentCall) => Promise<void> = async () => {}) {
  const world = createWorld();
  const run: AgentFunction = async (session, call) => {
    await session.run(() => work(call));
    return session.result();
  };
  return { ...world, agent: world.agents.defineCustomAgent({ name: "a", clientTransform }, run) };
}

const delta = (text: string): AgentChunk => ({ modelChunk: { content: [{ text }] } });
const textOf = ({ modelChunk }: AgentChunk): string | undefined => modelChunk?.content[0]?.text;

describe("a chunk transform", () => {
  it("is given every kind of chunk but turnEnd, one field at a time", async () => {
    const kinds: string[][] = [];
    const world = createWorld();
    const agent = world.agents.defineCustomAgent(
      {
        name: "a",
        initialCustom: { n: 0 },
        clientTransform: {
          chunk(chunk) {
            kinds.push(Object.keys(chunk));
            return chunk;
          },
        },
      },
      async (session, { sendChunk }) => {
        await session.run(async () => {
          session.updateCustom(() => ({ n: 1 }));
          session.addArtifacts({ parts: [] });
          await sendChunk({ ...delta("x"), status: "s", other: 1 } as AgentChunk);
        });
        return {};
      },
    );
    const chunks = await collect(agent.streamText("go"));
    const sent = [["customPatch"], ["artifact"], ["modelChunk"], ["status"], ["other"]];
    expect(kinds).toEqual(sent);
    expect(chunks.map((chunk) => Object.keys(chunk))).toEqual([...sent, ["turnEnd"]]);
  });

  it("keeps the order of chunks, however long it takes for each", async () => {
    const { agent } = open(
      {
        async chunk(chunk) {
          for (let n = Number(textOf(chunk)); n < 8; n += 2) await setImmediate();
          return chunk;
        },
      },
      async ({ sendChunk }) => {
        for (let n = 0; n < 8; n++) void sendChunk(delta(`${n}`));
      },
    );
    const stream = agent.streamText("go");
    const chunks = await collect(stream);
    expect(chunks.map(textOf)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", undefined]);
    expect(chunks.at(-1)).toHaveProperty("turnEnd");
    const followed = await collect(agent.follow((await stream.turnId()) as string));
    expect(followed.map((item) => "chunk" in item && item.chunk)).toEqual(chunks);
  });

  it("drops a chunk by returning nothing: from the stream, the log and the artifacts of the output", async () => {
    const world = createWorld();
    const agent = world.agents.defineCustomAgent(
      {
        name: "a",
        clientTransform: {
          chunk: (chunk) => (JSON.stringify(chunk).includes("secret") ? undefined : chunk),
        },
      },
      async (session, { sendChunk }) => {
        await session.run(async () => {
          for (const text of ["one", "secret two", "three"]) {
            await sendChunk(delta(text));
            session.addArtifacts({ name: text, parts: [] });
          }
        });
      },
    );
    const stream = agent.streamText("go");
    const chunks = await collect(stream);
    const output = await stream.output();
    expect(chunks.map((chunk) => textOf(chunk) ?? chunk.artifact?.name)).toEqual([
      "one",
      "one",
      "three",
      "three",
      undefined,
    ]);
    expect(output.artifacts?.map(({ name }) => name)).toEqual(["one", "three"]);
    expect(JSON.stringify(await storedEvents(world.store, output.snapshotId as string))).not.toContain("secret");
  });

  it("may add fields: each becomes a chunk of its own, on the stream and in the log", async () => {
    const { agent } = open({ chunk: (chunk) => ({ ...chunk, traceId: "t" }) }, ({ sendChunk }) =>
      sendChunk(delta("x")),
    );
    const stream = agent.streamText("go");
    const seen = await collect(stream.positioned());
    expect(seen.map(({ chunk }) => Object.keys(chunk))).toEqual([["modelChunk"], ["traceId"], ["turnEnd"]]);
    expect(await collect(agent.follow((await stream.turnId()) as string))).toEqual(seen);
  });

  it("has what a failing turn sent before seen before turnEnd", async () => {
    const { agent } = open(
      {
        async chunk(chunk) {
          await setImmediate();
          return chunk;
        },
      },
      async ({ sendChunk }) => {
        void sendChunk(delta("1"));
        void sendChunk(delta("2"));
        throw new Error("it broke");
      },
    );
    const stream = agent.streamText("go");
    const seen = await collect(stream.positioned());
    expect(seen.map(({ chunk }) => textOf(chunk) ?? chunk.turnEnd)).toEqual(["1", "2", { finishReason: "failed" }]);
    expect(await collect(agent.follow((await stream.turnId()) as string))).toEqual(seen);
  });

  it("that never returns does not hold up an abort", async () => {
    const { agent } = open({ chunk: () => new Promise(() => {}) }, async ({ sendChunk }) => void sendChunk(delta("x")));
    const stream = agent.streamText("go");
    await agent.abort((await stream.turnId()) as string);
    expect(await collect(stream)).toEqual([{ turnEnd: { finishReason: "aborted" } }]);
  });

  it("that returns after an abort has nothing go out any more, and is not asked again", async () => {
    const world = createWorld();
    const [transforming, settling] = [createGate(), createGate()];
    let asked = 0;
    const store = withTurns(world.store, {
      async settle(...args) {
        await settling.wait();
        return world.store.turns.settle(...args);
      },
    });
    const agent = world.agents.defineCustomAgent(
      {
        name: "a",
        store,
        clientTransform: {
          async chunk(chunk) {
            asked++;
            await transforming.wait();
            return chunk;
          },
        },
      },
      async (session, { sendChunk }) => {
        await session.run(async () => {
          for (const text of ["1", "2"]) void sendChunk(delta(text));
        });
      },
    );
    const stream = agent.streamText("go");
    await transforming.reached();
    await agent.abort((await stream.turnId()) as string);
    await settling.reached();
    transforming.open();
    await world.clock.advance(0);
    settling.open();
    const seen = await collect(stream.positioned());
    expect(seen.map(({ chunk }) => chunk)).toEqual([{ turnEnd: { finishReason: "aborted" } }]);
    expect(await collect(agent.follow((await stream.turnId()) as string))).toEqual(seen);
    expect(asked).toBe(1);
  });

  it("is waited for by what is sent after the last turn, too", async () => {
    const world = createWorld();
    const agent = world.agents.defineCustomAgent(
      {
        name: "a",
        clientTransform: {
          async chunk(chunk) {
            await setImmediate();
            return chunk;
          },
        },
      },
      async (session, { sendChunk }) => {
        await session.run(async () => {});
        void sendChunk(delta("bye"));
      },
    );
    expect((await collect(agent.streamText("go"))).map(textOf)).toEqual([undefined, "bye"]);
  });
});

describe("a message transform", () => {
  it("covers the message of the output and the input that the log begins with, and history stays raw", async () => {
    const world = createWorld();
    const define = (agents = world.agents, clientTransform: ClientTransform = {}) =>
      agents.defineCustomAgent({ name: "a", clientTransform }, async (session) => {
        await session.run(async () => session.addMessages(model("secret answer")));
        return session.result();
      });
    const agent = define(world.agents, {
      message: ({ role }) => ({ role, content: [{ text: `${role} said something` }] }),
    });
    const { message, snapshotId } = await agent.runText("secret question");
    expect(message).toEqual(model("model said something"));
    const [started] = await storedEvents(world.store, snapshotId as string);
    expect(started).toMatchObject({
      type: "turn.started",
      data: { turnIndex: 0, input: { message: user("user said something") } },
    });
    const { state } = await define(world.another()).getSnapshot(snapshotId as string);
    expect(transcript(state?.messages)).toEqual(["user: secret question", "model: secret answer"]);
  });

  it("leaves the message out by returning nothing, and keeps the rest of the input", async () => {
    const { agent, store } = open({ message: () => {} });
    const { snapshotId } = await agent.run({ ...says("secret"), note: 1 } as ReturnType<typeof says>);
    const [started] = await storedEvents(store, snapshotId as string);
    expect(started?.data).toEqual({ turnIndex: 0, input: { note: 1 } });
  });
});

describe("an error transform", () => {
  it("that returns nothing makes it INTERNAL, without a word of the original", async () => {
    const { agent, store } = open({ error: () => {} }, () => Promise.reject(new Error("secret")));
    const stream = agent.streamText("go", { sessionId: "s" });
    const { error } = await stream.output();
    const turnId = (await stream.turnId()) as string;
    const masked = { status: "INTERNAL", message: "Internal error." };
    expect(error).toEqual(masked);
    expect((await agent.getSnapshot(turnId)).error).toEqual(masked);
    expect((await agent.listSnapshots({ sessionId: "s" })).snapshots[0]?.error).toEqual(masked);
    expect((await storedEvents(store, turnId)).at(-1)).toMatchObject({ data: { error: masked } });
  });

  it("covers a start that is refused, too", async () => {
    const { agent } = open({ error: ({ status }) => ({ status, message: "no" }) });
    const output = await agent.runText("go", { snapshotId: "0123abcd.unknown" });
    expect(output).toMatchObject({ finishReason: "failed", error: { status: "NOT_FOUND", message: "no" } });
  });
});
