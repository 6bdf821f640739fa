import { setImmediate } from "node:timers/promises";
import { AgentError } from "@agents/schema/error";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model, storedEvents, transcript } from "../../test/agent-world.ts";
import type { AgentCall, AgentSession, ClientTransform } from "../index.ts";

type Work = (call: AgentCall, session: AgentSession<{ n: number }>) => Promise<void>;

const DENIED = { status: "PERMISSION_DENIED", message: "not for you" };

function denies(): never {
  throw new AgentError("PERMISSION_DENIED", "not for you");
}
const deniesLater = async (): Promise<never> => denies();

interface OpenOptions {
  readonly transform: ClientTransform<{ n: number }>;
  readonly work?: Work;
  readonly options?: object;
}

/** Answers "secret answer" after it has done its work. A message "bad" fails. */
function open({ transform, work = async () => {}, options = {} }: OpenOptions) {
  const world = createWorld();
  const define = (agents = world.agents, clientTransform = transform) =>
    agents.defineCustomAgent(
      { name: "a", initialCustom: { n: 0 }, clientTransform, ...options },
      async (session, call) => {
        await session.run(async (input) => {
          await work(call, session);
          session.addMessages(model("secret answer"));
          if (input.message?.content[0]?.text === "bad") throw new Error("secret reason");
        });
        return session.result();
      },
    );
  return { ...world, define, agent: define(), plain: define(world.another(), {}) };
}

const secretChunk = { modelChunk: { content: [{ text: "secret" }] } };

describe.each([
  ["throws", denies],
  ["rejects", deniesLater],
])("a state transform that %s", (_how, state) => {
  it("fails every read with its status", async () => {
    const { agent, plain } = open({ transform: { state } });
    const { snapshotId, sessionId } = await plain.runText("hi");
    await expect(agent.getSnapshot(snapshotId as string)).rejects.toMatchObject(DENIED);
    await expect(agent.getLatestSnapshot(sessionId)).rejects.toMatchObject(DENIED);
    await expect(agent.waitForSnapshot(snapshotId as string)).rejects.toMatchObject(DENIED);
    await expect(agent.chat({ sessionId }).refresh()).rejects.toMatchObject(DENIED);
  });

  it("fails the invocation of a client-managed agent, which gives no state", async () => {
    const { agent } = open({ transform: { state }, options: { stateManagement: "client" } });
    const output = await agent.runText("hi");
    expect(output).toEqual({ sessionId: output.sessionId, finishReason: "failed", error: DENIED });
  });

  it("fails a connection to a client-managed agent that had no turn as an output, too", async () => {
    const { agent } = open({ transform: { state }, options: { stateManagement: "client" } });
    expect(await agent.connect({ state: { custom: { n: 1 } } }).output()).toMatchObject({
      finishReason: "failed",
      error: DENIED,
    });
  });

  it("fails the turn whose patch it was asked for, and the patch never leaves", async () => {
    const { agent, store } = open({
      transform: { state },
      work: async (_call, session) => session.updateCustom(() => ({ n: 4_711 })),
    });
    const stream = agent.streamText("hi");
    const chunks = await collect(stream);
    const output = await stream.output();
    expect(chunks).toEqual([{ turnEnd: { finishReason: "failed" } }]);
    expect(output).toMatchObject({ finishReason: "failed", error: DENIED });
    const log = await storedEvents(store, (await stream.turnId()) as string);
    expect(log.map(({ type }) => type)).toEqual(["turn.started", "turn.failed"]);
    expect(JSON.stringify([output, log])).not.toContain("4711");
  });

  it("leaves a chat with what it had, and the turn as it was stored", async () => {
    const { agent, plain } = open({ transform: { state } });
    const chat = agent.chat();
    expect(await chat.send("hi").output()).toMatchObject({ finishReason: "stop" });
    expect([chat.messages, chat.custom]).toEqual([[], undefined]);
    const { state: stored } = await plain.getLatestSnapshot(chat.sessionId as string);
    expect(transcript(stored?.messages)).toEqual(["user: hi", "model: secret answer"]);
  });
});

describe.each([
  ["throws", denies],
  ["rejects", deniesLater],
])("a chunk transform that %s", (_how, chunk) => {
  async function failsWith(work: Work) {
    const { agent, store } = open({ transform: { chunk }, work });
    const stream = agent.streamText("hi", { sessionId: "s" });
    const chunks = await collect(stream);
    const output = await stream.output();
    const turnId = (await stream.turnId()) as string;
    expect(chunks).toEqual([{ turnEnd: { finishReason: "failed" } }]);
    expect(output).toMatchObject({ finishReason: "failed", error: DENIED });
    expect(await agent.getSnapshot(turnId)).toMatchObject({ status: "failed", error: DENIED });
    expect(JSON.stringify([output, await storedEvents(store, turnId)])).not.toContain("secret");
  }

  it("fails the turn with its status, and the chunk never leaves", () =>
    failsWith(async ({ sendChunk }) => {
      await expect(sendChunk(secretChunk)).rejects.toMatchObject(DENIED);
      await sendChunk(secretChunk);
    }));

  it("fails it although the agent catches the rejection", () =>
    failsWith(({ sendChunk }) => sendChunk(secretChunk).catch(() => {})));

  it("fails it although the agent waits for nothing: no chunk, chunk of several fields, or status", () =>
    failsWith(async ({ sendChunk, sendStatus }) => {
      void sendChunk(secretChunk);
      void sendChunk({ ...secretChunk, status: "secret" });
      void sendStatus("secret");
      await setImmediate();
      void sendChunk({ ...secretChunk, status: "secret" });
    }));

  it("fails it for a change of the session that is streamed", () =>
    failsWith(async (_call, session) => session.addArtifacts({ name: "secret", parts: [] })));
});

describe("a transform that failed", () => {
  it("fails the invocation although the agent catches what session.run throws and reports success", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a", clientTransform: { chunk: denies } }, async (session, call) => {
      await session.run(() => call.sendChunk(secretChunk)).catch(() => {});
      return { finishReason: "stop" };
    });
    expect(await agent.runText("hi")).toMatchObject({ finishReason: "failed", error: DENIED });
  });

  it("lets nothing of a later turn of the invocation through", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a", clientTransform: { chunk: denies } }, async (session, call) => {
      const process = () => session.run(() => call.sendChunk(secretChunk));
      await process().catch(() => process().catch(() => {}));
    });
    const connection = agent.connect();
    for (const text of ["1", "2"]) await connection.sendText(text);
    connection.close();
    const failed = { turnEnd: { finishReason: "failed" } };
    expect(await collect(connection.receive())).toEqual([failed, failed]);
    expect(await connection.output()).toMatchObject({ finishReason: "failed", error: DENIED, snapshotIds: [] });
  });

  it("fails the invocation after its last turn, too, which stays as it was stored", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a", clientTransform: { chunk: denies } }, async (session, call) => {
      await session.run(async () => {});
      void call.sendChunk(secretChunk);
    });
    const output = await agent.runText("hi");
    expect(output).toMatchObject({ finishReason: "failed", error: DENIED });
    expect(await agent.getSnapshot(output.snapshotId as string)).toMatchObject({ status: "completed" });
  });
});

describe("a message transform that throws", () => {
  it("fails the invocation, whose output has no message but says where the session goes on", async () => {
    const { agent } = open({ transform: { message: (message) => (message.role === "model" ? denies() : message) } });
    const output = await agent.runText("hi", { sessionId: "s" });
    expect(output).toMatchObject({ sessionId: "s", finishReason: "failed", error: DENIED });
    expect(output).not.toHaveProperty("message");
    expect(await agent.getLatestSnapshot("s")).toMatchObject({ status: "completed", snapshotId: output.snapshotId });
    expect(output.snapshotIds).toEqual([output.snapshotId]);
  });

  it("fails a client-managed one, which gives the state if that can be shown", async () => {
    const { agent } = open({
      transform: { message: (message) => (message.role === "model" ? denies() : message) },
      options: { stateManagement: "client" },
    });
    const output = await agent.runText("hi");
    expect(output).toMatchObject({ finishReason: "failed", error: DENIED, state: { custom: { n: 0 } } });
    expect(output).not.toHaveProperty("message");
  });

  it("at an input makes no row: the log would begin with it", async () => {
    const { agent } = open({ transform: { message: denies } });
    expect(await agent.runText("secret", { sessionId: "s" })).toEqual({
      sessionId: "s",
      finishReason: "failed",
      error: DENIED,
      snapshotIds: [],
    });
    await expect(agent.getLatestSnapshot("s")).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("at a later input fails the invocation, also where the agent catches it and ends", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      {
        name: "a",
        clientTransform: { message: (message) => (JSON.stringify(message).includes("secret") ? denies() : message) },
      },
      async (session) => {
        await session.run(async () => {}).catch(() => {});
      },
    );
    const connection = agent.connect();
    for (const text of ["fine", "secret"]) await connection.sendText(text);
    const output = await connection.output();
    expect(output).toMatchObject({ finishReason: "failed", error: DENIED });
    expect(output.snapshotIds).toHaveLength(1);
  });
});

describe("an error transform that throws", () => {
  it("is told in place of the error, in the output and the log", async () => {
    const { agent, store } = open({ transform: { error: denies } });
    const stream = agent.streamText("bad");
    const output = await stream.output();
    const log = await storedEvents(store, (await stream.turnId()) as string);
    expect(output).toMatchObject({ finishReason: "failed", error: DENIED });
    expect(log.at(-1)).toMatchObject({ type: "turn.failed", data: { error: DENIED } });
    expect(JSON.stringify([output, log])).not.toContain("secret");
  });

  it("fails the reads that would show it, and no others", async () => {
    const { agent, plain } = open({ transform: { error: denies } });
    const good = await plain.runText("good", { sessionId: "s" });
    const bad = plain.streamText("bad", { sessionId: "s" });
    await bad.output();
    await expect(agent.getSnapshot((await bad.turnId()) as string)).rejects.toMatchObject(DENIED);
    await expect(agent.waitForSnapshot((await bad.turnId()) as string)).rejects.toMatchObject(DENIED);
    await expect(agent.listSnapshots({ sessionId: "s" })).rejects.toMatchObject(DENIED);
    expect(await agent.getLatestSnapshot("s")).toMatchObject({ snapshotId: good.snapshotId });
  });
});
