import type { AgentChunk, Message, SessionState } from "@agents/schema/agent";
import { AgentError, type WireError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model, says, storedEvents, transcript, user } from "../../test/agent-world.ts";
import type { ClientTransform } from "../index.ts";

interface Custom {
  readonly open: number;
  readonly hidden: string;
}
type Transform = ClientTransform<Custom, string>;

/** Says "secret" in every way that something leaves: history, custom state, artifacts, chunks, message, error. */
function open(clientTransform: Transform, options: object = {}) {
  const world = createWorld();
  const seen: SessionState<Custom>[] = [];
  const define = (agents = world.agents, transform: Transform = clientTransform) =>
    agents.defineCustomAgent<Custom, string>(
      { name: "a", initialCustom: { open: 0, hidden: "secret 0" }, clientTransform: transform, ...options },
      async (session, { sendChunk, sendStatus }) => {
        await session.run(async (input) => {
          const text = input.message?.content[0]?.text;
          session.updateCustom(({ open: n }) => ({ open: n + 1, hidden: `secret ${n + 1}` }));
          session.updateCustom((draft) => ({ ...draft, hidden: `${draft.hidden}!` }));
          session.addArtifacts({ name: "file", parts: [{ text: "secret file" }] });
          session.addMessages(model(`secret re: ${text}`));
          await sendChunk({ modelChunk: { content: [{ text: "secret delta" }] } });
          await sendStatus("secret status");
          seen.push(session.getState() as SessionState<Custom>);
          if (text === "bad")
            throw new AgentError("OUT_OF_RANGE", "secret reason", { details: { at: "secret place" } });
        });
        return session.result();
      },
    );
  /** The same rows, read by a process whose agent has no transform. */
  const raw = () => define(world.another(), {});
  return { ...world, agent: define(), define, raw, seen };
}

/** The value with the word blotted out, wherever it is. */
function hide<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll("secret", "***")) as T;
}

const HIDE: Transform = { state: hide, chunk: hide, message: hide, error: hide };
const HIDE_LATER: Transform = {
  state: async (state) => hide(state),
  chunk: async (chunk) => hide(chunk),
  message: async (message) => hide(message),
  error: async (error) => hide(error),
};

const text = (value: unknown): string => JSON.stringify(value);

describe.each([
  ["synchronous", HIDE],
  ["asynchronous", HIDE_LATER],
])("%s transforms", (_kind, transform) => {
  it("cover everything that leaves a server-managed agent", async () => {
    const { agent, store } = open(transform);
    const stream = agent.stream(says("secret question"), { sessionId: "s" });
    const chunks = await collect(stream);
    const output = await stream.output();
    const turnId = output.snapshotId as string;
    const chat = agent.chat({ sessionId: "s" });
    await chat.refresh();
    const everything = {
      chunks,
      output,
      chat: [chat.messages, chat.custom],
      reads: [await agent.getSnapshot(turnId), await agent.getLatestSnapshot("s"), await agent.waitForSnapshot(turnId)],
      followed: await collect(agent.follow(turnId)),
      log: await storedEvents(store, turnId),
    };
    expect(text(everything)).not.toContain("secret");
    expect(output).toMatchObject({
      message: model("*** re: *** question"),
      artifacts: [{ name: "file", parts: [{ text: "*** file" }] }],
    });
    expect(transcript(chat.messages)).toEqual(["user: *** question", "model: *** re: *** question"]);
  });

  it("cover everything that leaves a client-managed agent", async () => {
    const { agent } = open(transform, { stateManagement: "client" });
    const chat = agent.chat();
    const stream = chat.send("secret question");
    const chunks = await collect(stream);
    const output = await stream.output();
    expect(text({ chunks, output, chat: [chat.messages, chat.custom] })).not.toContain("secret");
    expect(output.state).toMatchObject({ custom: { open: 1, hidden: "*** 1!" }, artifacts: [{ name: "file" }] });
  });

  it("cover the errors of outputs, snapshots, lists and the log, details included", async () => {
    const { agent, store } = open(transform);
    const stream = agent.streamText("bad", { sessionId: "s" });
    const { error } = await stream.output();
    const turnId = (await stream.turnId()) as string;
    const { snapshots } = await agent.listSnapshots({ sessionId: "s" });
    const failed = (await storedEvents(store, turnId)).at(-1);
    const shown = { status: "OUT_OF_RANGE", message: "*** reason", details: { at: "*** place" } };
    expect(error).toEqual(shown);
    expect((await agent.getSnapshot(turnId)).error).toEqual(shown);
    expect(snapshots[0]?.error).toEqual(shown);
    expect(failed).toMatchObject({ type: "turn.failed", data: { error: shown } });
  });

  it("leave what is stored and what the agent sees as it is", async () => {
    const { agent, raw, seen } = open(transform);
    await agent.runText("one", { sessionId: "s" });
    const bad = agent.streamText("bad", { sessionId: "s" });
    await bad.output();
    expect(seen[1]?.custom).toEqual({ open: 2, hidden: "secret 2!" });
    expect(transcript(seen[1]?.messages)).toContain("model: secret re: one");
    const kept = await raw().getLatestSnapshot("s");
    expect(kept.state).toMatchObject({
      custom: { open: 1, hidden: "secret 1!" },
      artifacts: [{ name: "file", parts: [{ text: "secret file" }] }],
    });
    expect(transcript(kept.state?.messages)).toEqual(["user: one", "model: secret re: one"]);
    expect((await raw().getSnapshot((await bad.turnId()) as string)).error).toEqual({
      status: "OUT_OF_RANGE",
      message: "secret reason",
      details: { at: "secret place" },
    });
  });
});

describe("a transform", () => {
  it("sees a deep copy: what it does to it changes neither what is stored nor what the agent holds", async () => {
    const spoil = (value: object): undefined => {
      const all: object[] = [value];
      for (const object of all) all.push(...Object.values(object).filter((member) => member instanceof Object));
      for (const object of all) for (const key of Object.keys(object)) Reflect.set(object, key, "spoilt");
    };
    const given: AgentChunk<string> = { modelChunk: { content: [{ text: "mine" }] } };
    const { agents, another } = createWorld();
    const define = (on = agents, clientTransform?: Transform) =>
      on.defineCustomAgent<Custom, string>(
        {
          name: "a",
          initialCustom: { open: 1, hidden: "" },
          ...(clientTransform && { clientTransform }),
        },
        async (session, { sendChunk }) => {
          await session.run(async (input) => {
            session.updateCustom(({ open: n }) => ({ open: n + 1, hidden: "" }));
            session.addArtifacts({ parts: [{ text: "kept" }] });
            session.addMessages(model("kept"));
            await sendChunk(given);
            if (input.message?.content[0]?.text === "bad") throw new AgentError("ABORTED", "kept", { details: [1] });
          });
          return session.result();
        },
      );
    const agent = define(agents, { state: spoil, chunk: spoil, message: spoil, error: spoil });
    const { snapshotId } = await agent.runText("hi", { sessionId: "s" });
    const bad = agent.streamText("bad", { sessionId: "s" });
    await bad.output();
    await agent.getSnapshot(snapshotId as string);
    expect(given).toEqual({ modelChunk: { content: [{ text: "mine" }] } });
    const raw = define(another());
    expect((await raw.getSnapshot(snapshotId as string)).state).toEqual({
      sessionId: "s",
      messages: [user("hi"), model("kept")],
      custom: { open: 2, hidden: "" },
      artifacts: [{ parts: [{ text: "kept" }] }],
    });
    const failed = await raw.getSnapshot((await bad.turnId()) as string);
    expect(failed.error).toEqual({ status: "ABORTED", message: "kept", details: [1] });
  });

  it("gets the caller's context: of the invocation for what it makes, of the reader for what it reads", async () => {
    const asked: string[] = [];
    const by =
      <T>(part: string) =>
      (value: T, { subject }: AgentContext): T => {
        asked.push(`${part} for ${subject}`);
        return value;
      };
    const { agent } = open({
      state: by<SessionState<Custom>>("state"),
      chunk: by<AgentChunk<string>>("chunk"),
      message: by<Message>("message"),
      error: by<WireError>("error"),
    });
    const context = { subject: "me" };
    const { sessionId, snapshotId } = await agent.runText("good", { context });
    const bad = agent.streamText("bad", { sessionId, context });
    await bad.output();
    expect(new Set(asked)).toEqual(new Set(["message for me", "state for me", "chunk for me", "error for me"]));
    asked.length = 0;
    await agent.getSnapshot(snapshotId as string);
    await agent.listSnapshots({ sessionId }, { context });
    expect(asked).toEqual(["state for undefined", "error for me"]);
  });

  it("is applied once: what one reader is shown was not transformed for another", async () => {
    const { agent } = open({ error: ({ status, message }) => ({ status, message: `<${message}>` }) });
    const stream = agent.streamText("bad", { sessionId: "s" });
    const { error } = await stream.output();
    const { snapshots } = await agent.listSnapshots({ sessionId: "s" });
    const read = await agent.getSnapshot((await stream.turnId()) as string);
    const shown = [error, snapshots[0]?.error, read.error].map((one) => one?.message);
    expect(shown).toEqual(["<secret reason>", "<secret reason>", "<secret reason>"]);
  });
});

describe("a state transform", () => {
  it("has live patches taken between the states it returns: the first whole, later ones minimal, none for what it hides", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      {
        name: "a",
        initialCustom: { shown: [1], other: "kept", hidden: 0 },
        clientTransform: {
          state: ({ custom, ...state }) => ({ ...state, custom: { ...custom, hidden: 0 } }) as typeof state,
        },
      },
      async (session) => {
        await session.run(async () => {
          session.updateCustom((draft) => {
            draft.hidden = 1;
          });
          session.updateCustom((draft) => {
            draft.hidden = 2;
          });
          session.updateCustom((draft) => void draft.shown.push(2));
        });
      },
    );
    const connection = agent.connect();
    const turn = async () => {
      await connection.sendText("go");
      return (await collect(connection.receiveTurn())).flatMap(({ customPatch }) => customPatch ?? []);
    };
    expect(await turn()).toEqual([
      { op: "replace", path: "", value: { shown: [1], other: "kept", hidden: 0 } },
      { op: "add", path: "/shown/1", value: 2 },
    ]);
    expect(connection.custom).toEqual({ shown: [1, 2], other: "kept", hidden: 0 });
    expect(await turn()).toEqual([
      { op: "replace", path: "", value: { shown: [1, 2], other: "kept", hidden: 0 } },
      { op: "add", path: "/shown/2", value: 2 },
    ]);
    await connection.output();
  });

  it("leaves the state out by returning nothing: of outputs, snapshots, artifacts and patches", async () => {
    const omit = { state: () => {} };
    const { agent } = open(omit);
    const stream = agent.streamText("hi", { sessionId: "s" });
    const chunks = await collect(stream);
    const output = await stream.output();
    expect(chunks.some(({ customPatch }) => customPatch !== undefined)).toBe(false);
    expect(output).not.toHaveProperty("artifacts");
    expect(await agent.getSnapshot(output.snapshotId as string)).not.toHaveProperty("state");
    const carried = await open(omit, { stateManagement: "client" }).agent.runText("hi");
    expect(carried).toMatchObject({ finishReason: "stop", message: model("secret re: hi") });
    expect(carried).not.toHaveProperty("state");
  });
});
