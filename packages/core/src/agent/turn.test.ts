import type { Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, createWorld, model, says, transcript, user } from "../../test/agent-world.ts";

/** Answers every message with "re: …" and counts turns in its custom state. */
function defineEcho({ agents }: ReturnType<typeof createWorld>, options: object = {}) {
  return agents.defineCustomAgent(
    { name: "echo", stateSchema: z.object({ turns: z.number() }), initialCustom: { turns: 0 }, ...options },
    async (session) => {
      await session.run(async (input) => {
        session.updateCustom((draft) => {
          draft.turns += 1;
        });
        session.addMessages(model(`re: ${input.message?.content[0]?.text}`));
      });
      return session.result();
    },
  );
}

describe("a turn", () => {
  it("has the user's message in history before the callback runs", async () => {
    const { agents } = createWorld();
    const seen: string[][] = [];
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async () => void seen.push(transcript(session.getMessages())));
    });
    await agent.runText("hi");
    expect(seen).toEqual([["user: hi"]]);
  });

  it("has one row from its start to its end, and its id is the snapshot's", async () => {
    const { agents, store } = createWorld();
    const rows: unknown[] = [];
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async (_input, turn) => {
        const row = await store.turns.read({ scope: "" }, { snapshotId: turn.snapshotId as string }, "meta");
        rows.push(row?.turn.status, turn.turnIndex);
      });
    });
    const stream = agent.stream(says("hi"));
    const output = await stream.output();
    expect(rows).toEqual(["pending", 0]);
    expect(output.snapshotId).toBe(await stream.turnId());
    expect(await agent.getSnapshot(output.snapshotId as string)).toMatchObject({ status: "completed", ordinal: 1 });
  });

  it("knows the snapshot that it started from", async () => {
    const { agents } = createWorld();
    const parents: unknown[] = [];
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async (_input, turn) => void parents.push(turn.parentSnapshotId));
    });
    const { sessionId, snapshotId } = await agent.runText("1");
    await agent.runText("2", { sessionId });
    expect(parents).toEqual([undefined, snapshotId]);
  });

  it("may say how it finished, which goes on turnEnd, the snapshot and the output", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async () => ({ finishReason: "length" }));
      expect(session.lastTurnFinishReason).toBe("length");
    });
    const stream = agent.streamText("hi");
    expect(await collect(stream)).toEqual([{ turnEnd: { finishReason: "length", snapshotId: await stream.turnId() } }]);
    const { finishReason, snapshotId } = await stream.output();
    expect(finishReason).toBe("length");
    expect(await agent.getSnapshot(snapshotId as string)).toMatchObject({ finishReason: "length" });
  });

  it("shows the agent's own result in the output, its reason before the last turn's", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async () => {});
      return { message: model("bye"), artifacts: [{ name: "x", parts: [] }], finishReason: "other" };
    });
    expect(await agent.runText("hi")).toMatchObject({
      message: model("bye"),
      artifacts: [{ name: "x", parts: [] }],
      finishReason: "other",
    });
  });

  it("gets its input as it was sent, whatever its sender or the agent does to it afterwards", async () => {
    const { agents } = createWorld();
    const gate = createGate();
    let seen: unknown;
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async (input) => {
        await gate.wait();
        const { content } = input.message as Message;
        expect(() => content.push({ text: "more" })).toThrow(TypeError);
        seen = content;
      });
    });
    const message = user("as sent");
    const output = agent.run({ message });
    await gate.reached();
    message.content[0] = { text: "changed" };
    gate.open();
    const { state } = await agent.getSnapshot((await output).snapshotId as string);
    expect(seen).toEqual(user("as sent").content);
    expect(state?.messages).toEqual([user("as sent")]);
  });

  it("knows what its invocation was started with, and for whom", async () => {
    const world = createWorld();
    const seen: unknown[] = [];
    const define = (name: string, options: object) =>
      world.agents.defineCustomAgent({ name, ...options }, async (session, { init, context }) => {
        seen.push({ init, context });
        await session.run(async () => session.addMessages(model("re")));
      });
    const stored = define("stored", {});
    const first = await stored.runText("1", { sessionId: "s", context: { locale: "de" } });
    await stored.runText("2", { snapshotId: first.snapshotId as string });
    const state = { messages: [user("0")], custom: { n: 1 } };
    await define("carried", { stateManagement: "client" }).runText("1", { state });
    expect(seen).toEqual([
      { init: { sessionId: "s" }, context: { locale: "de" } },
      { init: { snapshotId: first.snapshotId }, context: {} },
      { init: { state }, context: {} },
    ]);
  });

  it("sums the usage of its model calls on output and snapshot", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async (_input, turn) => {
        turn.recordUsage({ inputTokens: 10, outputTokens: 2, cost: { amount: 1, currency: "EUR" } });
        turn.recordUsage({ inputTokens: 5, cost: { amount: 2, currency: "EUR" } });
      });
    });
    const connection = agent.connect();
    await connection.send(says("1"));
    await connection.send(says("2"));
    const output = await connection.output();
    const perTurn = { modelCalls: 2, inputTokens: 15, outputTokens: 2, cost: { amount: 3, currency: "EUR" } };
    expect(output.usage).toEqual({
      modelCalls: 4,
      inputTokens: 30,
      outputTokens: 4,
      cost: { amount: 6, currency: "EUR" },
    });
    expect((await agent.getSnapshot(output.snapshotId as string)).usage).toEqual(perTurn);
  });
});

describe("an invocation of several inputs", () => {
  it("runs them in order, each with a row and a turnEnd of its own", async () => {
    const world = createWorld();
    const agent = defineEcho(world);
    const connection = agent.connect();
    await connection.sendText("1");
    await connection.sendText("2");
    connection.close();
    const ends = (await collect(connection.receive())).flatMap(({ turnEnd }) => (turnEnd ? [turnEnd] : []));
    const { snapshotIds, snapshotId, sessionId } = await connection.output();
    expect(ends.map((end) => end.snapshotId)).toEqual(snapshotIds);
    expect(snapshotIds).toHaveLength(2);
    expect(await agent.getSnapshot(snapshotId as string)).toMatchObject({
      parentId: snapshotIds?.[0],
      state: { sessionId, custom: { turns: 2 } },
    });
  });

  it("can be read a turn at a time, and shows custom state as the patches make it", async () => {
    const connection = defineEcho(createWorld()).connect();
    for (const n of [1, 2, 3]) {
      await connection.sendText(`${n}`);
      const chunks = await collect(connection.receiveTurn());
      expect(chunks.at(-1)).toHaveProperty("turnEnd");
      expect(connection.custom).toEqual({ turns: n });
    }
    expect(connection.done).toBe(false);
    await connection.output();
    expect(connection.done).toBe(true);
  });

  it("goes on from a turn that another invocation added meanwhile, so that history stays one line", async () => {
    const world = createWorld();
    const agent = defineEcho(world);
    const connection = agent.connect({ sessionId: "s" });
    await connection.sendText("mine 1");
    await collect(connection.receiveTurn());
    await agent.runText("theirs", { sessionId: "s" });
    await connection.sendText("mine 2");
    await connection.output();
    const { state } = await agent.getLatestSnapshot("s");
    expect(transcript(state?.messages).filter((line) => line.startsWith("user"))).toEqual([
      "user: mine 1",
      "user: theirs",
      "user: mine 2",
    ]);
    expect(state?.custom).toEqual({ turns: 3 });
    expect((await world.store.index.getSession({ scope: "" }, "s"))?.headId).toBeDefined();
  });

  it("makes no row when it gets no input", async () => {
    const world = createWorld();
    const agent = defineEcho(world);
    const output = await agent.connect({ sessionId: "s" }).output();
    expect(output).toMatchObject({ sessionId: "s", finishReason: "other", snapshotIds: [] });
    await expect(agent.getLatestSnapshot("s")).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("refuses what is sent after it was closed, and after it ended", async () => {
    const agent = defineEcho(createWorld());
    const connection = agent.connect();
    await connection.sendText("1");
    connection.close();
    await expect(connection.sendText("2")).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      details: { reason: "closed" },
    });
    await connection.output();
    await expect(connection.sendText("3")).rejects.toMatchObject({ details: { reason: "completed" } });
  });

  it("rejects a bad input where it is sent, and goes on with the next", async () => {
    const agent = defineEcho(createWorld());
    const connection = agent.connect();
    await expect(connection.send({ message: { role: "tool" } } as never)).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining("/message"),
    });
    await connection.sendText("fine");
    expect(await connection.output()).toMatchObject({ message: model("re: fine") });
  });
});

describe("a turn that fails", () => {
  function defineFragile(world: ReturnType<typeof createWorld>, options: object = {}) {
    return world.agents.defineCustomAgent(
      { name: "fragile", initialCustom: { done: [] as string[] }, ...options },
      async (session) => {
        await session.run(async (input) => {
          const text = input.message?.content[0]?.text ?? "";
          session.updateCustom((draft) => void draft.done.push(text));
          session.addArtifacts({ name: text, parts: [] });
          session.addMessages(model(`re: ${text}`));
          if (text.startsWith("bad")) throw new Error("it broke");
        });
        return session.result();
      },
    );
  }

  it("rolls back what it changed, says failed, and leaves the session usable with history [u1, m1]", async () => {
    const world = createWorld();
    const agent = defineFragile(world);
    const good = await agent.runText("u1", { sessionId: "s" });
    const stream = agent.streamText("bad", { sessionId: "s" });
    const chunks = await collect(stream);
    expect(chunks.at(-1)).toEqual({ turnEnd: { finishReason: "failed" } });
    expect(await stream.output()).toMatchObject({
      sessionId: "s",
      finishReason: "failed",
      error: { status: "INTERNAL", message: "it broke" },
      snapshotId: good.snapshotId,
      snapshotIds: [],
    });
    const { state, snapshotId } = await agent.getLatestSnapshot("s");
    expect(snapshotId).toBe(good.snapshotId);
    expect(transcript(state?.messages)).toEqual(["user: u1", "model: re: u1"]);
    expect(state).toMatchObject({ custom: { done: ["u1"] }, artifacts: [{ name: "u1" }] });
    const next = await agent.runText("u2", { sessionId: "s" });
    expect(transcript((await agent.getSnapshot(next.snapshotId as string)).state?.messages)).toEqual([
      "user: u1",
      "model: re: u1",
      "user: u2",
      "model: re: u2",
    ]);
  });

  it("keeps its row for inspection, without a state of its own and without shadowing the head", async () => {
    const world = createWorld();
    const agent = defineFragile(world);
    await agent.runText("u1", { sessionId: "s" });
    const stream = agent.streamText("bad", { sessionId: "s" });
    await stream.output();
    const failed = await agent.getSnapshot((await stream.turnId()) as string);
    expect(failed).toMatchObject({ status: "failed", finishReason: "failed", error: { message: "it broke" } });
    expect(failed.stateHash).toBeUndefined();
    expect(transcript(failed.state?.messages)).toEqual(["user: u1", "model: re: u1"]);
  });

  it("processes no later input", async () => {
    const agent = defineFragile(createWorld());
    const connection = agent.connect({ sessionId: "s" });
    for (const text of ["u1", "bad", "u2"]) await connection.sendText(text);
    const output = await connection.output();
    expect(output).toMatchObject({ finishReason: "failed" });
    expect(output.snapshotIds).toHaveLength(1);
    expect(transcript((await agent.getLatestSnapshot("s")).state?.messages)).toEqual(["user: u1", "model: re: u1"]);
  });

  it("can be caught by the agent, which goes on with the inputs that follow", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      const process = () =>
        session.run(async (input) => {
          if (input.message?.content[0]?.text === "bad") throw new Error("it broke");
          session.addMessages(model("fine"));
        });
      await process().catch(() => process());
    });
    const connection = agent.connect();
    for (const text of ["bad", "good"]) await connection.sendText(text);
    const output = await connection.output();
    expect(output).toMatchObject({ finishReason: "stop", message: model("fine") });
    expect(output.error).toBeUndefined();
    expect(transcript((await agent.getSnapshot(output.snapshotId as string)).state?.messages)).toEqual([
      "user: good",
      "model: fine",
    ]);
  });

  it("carries the failure when the agent caught it and ends", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(() => Promise.reject(new Error("it broke"))).catch(() => {});
    });
    expect(await agent.runText("x")).toMatchObject({ finishReason: "failed", error: { message: "it broke" } });
  });

  it("commits the user's message with resumeFrom settled, and an empty input runs it again", async () => {
    const world = createWorld();
    let broken = true;
    const agent = world.agents.defineCustomAgent({ name: "a", resumeFrom: "settled" }, async (session) => {
      await session.run(async () => {
        session.addMessages(model("half"));
        if (broken) throw new Error("it broke");
      });
    });
    const stream = agent.streamText("u1", { sessionId: "s" });
    const failed = await stream.output();
    expect(failed).toMatchObject({ finishReason: "failed", snapshotId: await stream.turnId() });
    expect(transcript((await agent.getLatestSnapshot("s")).state?.messages)).toEqual(["user: u1"]);
    broken = false;
    const again = await agent.run({}, { sessionId: "s" });
    const { state, parentId } = await agent.getSnapshot(again.snapshotId as string);
    expect(parentId).toBe(failed.snapshotId);
    expect(transcript(state?.messages)).toEqual(["user: u1", "model: half"]);
  });

  it("fails when its custom state does not fit the schema, naming the path, and saves nothing of it", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      { name: "a", stateSchema: z.object({ n: z.number() }), initialCustom: { n: 1 } },
      async (session) => {
        await session.run(async () => session.updateCustom(() => ({ n: "two" }) as never));
      },
    );
    expect(await agent.runText("x", { sessionId: "s" })).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("/n") },
    });
    await expect(agent.getLatestSnapshot("s")).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("fails, with its row, when the agent never processes its input", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async () => ({ message: model("no") }));
    const stream = agent.streamText("x");
    expect(await stream.output()).toMatchObject({ finishReason: "failed", error: { status: "FAILED_PRECONDITION" } });
    expect(await agent.getSnapshot((await stream.turnId()) as string)).toMatchObject({ status: "failed" });
  });

  it("leaves a completed turn alone when the agent fails after it", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async () => session.addMessages(model("kept")));
      throw new Error("afterwards");
    });
    const output = await agent.runText("x");
    expect(output).toMatchObject({ finishReason: "failed", error: { message: "afterwards" } });
    expect(await agent.getSnapshot(output.snapshotId as string)).toMatchObject({ status: "completed" });
  });

  it("settles its row when its state cannot be stored, or the snapshot policy throws, and the session goes on", async () => {
    const world = createWorld();
    const agent = world.agents.defineCustomAgent(
      {
        name: "a",
        initialCustom: { big: 0 },
        snapshot: ({ state }) => {
          if (state.messages.length > 4) throw new AgentError("OUT_OF_RANGE", "too long");
          return true;
        },
      },
      async (session) => {
        await session.run(async () => session.addMessages(model("ok")));
      },
    );
    await agent.runText("1", { sessionId: "s" });
    await agent.runText("2", { sessionId: "s" });
    const stream = agent.streamText("3", { sessionId: "s" });
    expect(await stream.output()).toMatchObject({ finishReason: "failed", error: { status: "OUT_OF_RANGE" } });
    expect(await agent.getSnapshot((await stream.turnId()) as string)).toMatchObject({
      status: "failed",
      error: { status: "OUT_OF_RANGE" },
    });
    await expect(agent.runText("a\ud800", { sessionId: "s" })).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining("/message/content/0/text"),
    });
    await world.clock.advance(60_000);
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("fails with INVALID_ARGUMENT when it streams what JSON cannot hold, awaited or not", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session, { sendChunk }) => {
      await session.run(async () => void sendChunk({ modelChunk: { content: [{ data: 1n }] } }));
    });
    expect(await agent.runText("x")).toMatchObject({ finishReason: "failed", error: { status: "INVALID_ARGUMENT" } });
  });

  it("never leaks a stack or a raw thrown value", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(() => Promise.reject({ token: "secret" }));
    });
    const stream = agent.streamText("x");
    const output = await stream.output();
    const row = await agent.getSnapshot((await stream.turnId()) as string);
    expect(JSON.stringify([output, row])).not.toMatch(/secret|stack|\.ts:/);
  });

  it("runs an empty input on the conversation as it stands, and fails it on an empty one", async () => {
    const agent = defineEcho(createWorld());
    const { sessionId } = await agent.runText("1");
    const again = await agent.run({}, { sessionId });
    expect(transcript((await agent.getSnapshot(again.snapshotId as string)).state?.messages)).toEqual([
      "user: 1",
      "model: re: 1",
      "model: re: undefined",
    ]);
    expect(await agent.run({})).toMatchObject({ finishReason: "failed", error: { status: "INVALID_ARGUMENT" } });
  });
});

describe("a client-managed agent", () => {
  it("gives the state with the output and takes it back with the next turn", async () => {
    const world = createWorld();
    const agent = defineEcho(world, { stateManagement: "client" });
    const first = await agent.runText("1");
    expect(first.snapshotId).toBeUndefined();
    expect(first.snapshotIds).toBeUndefined();
    const second = await agent.runText("2", { state: first.state as NonNullable<typeof first.state> });
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.state).toMatchObject({ sessionId: first.sessionId, custom: { turns: 2 } });
    expect(transcript(second.state?.messages)).toEqual(["user: 1", "model: re: 1", "user: 2", "model: re: 2"]);
  });

  it("and a server-managed one have outputs of their own: a state, or the ids of snapshots", async () => {
    const world = createWorld();
    const keys = (output: object) => Object.keys(output).sort();
    const stored = await defineEcho(world).runText("1");
    expect(keys(stored)).toEqual(["finishReason", "message", "sessionId", "snapshotId", "snapshotIds"]);
    const carried = await defineEcho(createWorld(), { stateManagement: "client" }).runText("1");
    expect(keys(carried)).toEqual(["finishReason", "message", "sessionId", "state"]);
  });

  it("gives the last good state when a turn fails", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a", stateManagement: "client" }, async (session) => {
      await session.run(async (input) => {
        session.addMessages(model("re"));
        if (input.message?.content[0]?.text === "bad") throw new Error("it broke");
      });
    });
    const { state } = await agent.runText("1");
    const failed = await agent.runText("bad", { state: state as NonNullable<typeof state> });
    expect(failed).toMatchObject({ finishReason: "failed", error: { message: "it broke" } });
    expect(failed.state).toEqual(state);
  });

  it("resolves failed, naming the path, when the custom state it is sent does not fit", async () => {
    const agent = defineEcho(createWorld(), { stateManagement: "client" });
    expect(await agent.runText("1", { state: { custom: { turns: "x" } as never } })).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("/turns") },
    });
  });

  it("cannot be detached from, aborted by id, or followed", async () => {
    const agent = defineEcho(createWorld(), { stateManagement: "client" });
    const refused = { status: "FAILED_PRECONDITION" };
    await expect(agent.run({ ...says("1"), detach: true })).rejects.toMatchObject(refused);
    await expect(agent.abort("0123abcd.x")).rejects.toMatchObject(refused);
    await expect(agent.getSnapshot("0123abcd.x")).rejects.toMatchObject(refused);
    expect(() => agent.follow("0123abcd.x")).toThrow(expect.objectContaining(refused));
  });
});

describe("a state", () => {
  it("carries a hash that can be verified, the same for the same state", async () => {
    const agent = defineEcho(createWorld());
    const one = await agent.runText("same");
    const other = await agent.runText("same");
    const snapshots = await Promise.all([one, other].map(({ snapshotId }) => agent.getSnapshot(snapshotId as string)));
    expect(snapshots[0]?.stateHash).toMatch(/^[0-9a-f]{64}$/);
    expect(snapshots[1]?.stateHash).toBe(snapshots[0]?.stateHash);
    expect(await agent.verifySnapshot(one.snapshotId as string)).toMatchObject({ stateHash: snapshots[0]?.stateHash });
  });

  it("starts with the messages and custom state that were given, and keeps what came before as it was", async () => {
    const world = createWorld();
    const agent = defineEcho(world, { initialCustom: ({ scope }: { scope?: string }) => ({ turns: scope ? 10 : 0 }) });
    const { snapshotId } = await agent.runText("1", { context: { scope: "tenant" } });
    const { state } = await agent.getSnapshot(snapshotId as string, { context: { scope: "tenant" } });
    expect(state?.custom).toEqual({ turns: 11 });
    expect(state?.messages[0]).toEqual(user("1"));
  });
});
