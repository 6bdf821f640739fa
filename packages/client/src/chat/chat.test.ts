import type { Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { collect, collectUntil } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { refuse, reply } from "../../test/agent-server.ts";
import { createGate, openWorld, transcript } from "../../test/world.ts";

const CLIENT = { metadata: { stateManagement: "client", abortable: false } } as const;

describe.each(["server", "client"] as const)("a chat with a %s-managed agent", (mode) => {
  async function open() {
    const world = await openWorld(mode === "client" ? CLIENT : {});
    world.server.mode = mode;
    return { ...world, chat: world.agent.chat() };
  }

  it("remembers where it is, and shows the conversation as the server has it, tool messages included", async () => {
    const { server, chat } = await open();
    const tool: Message = { role: "tool", content: [{ toolResponse: { name: "t", output: 1 } }] };
    server.script = () => [tool, reply("done")];
    await chat.send("1").output();
    await chat.send("2").output();
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "tool", "model", "user", "tool", "model"]);
    expect(chat.messages[1]).toEqual(tool);
  });

  it("shows what was sent at once, and takes it back when the turn fails", async () => {
    const { server, chat } = await open();
    await chat.send("1").output();
    server.script = async () => {
      throw new Error("it broke");
    };
    const output = chat.send("bad").output();
    expect(transcript(chat.messages).at(-1)).toBe("user: bad");
    expect(await output).toMatchObject({ finishReason: "failed" });
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1"]);
  });

  it("takes it back when the turn never started, also when nobody asks for its output", async () => {
    const { server, chat } = await open();
    server.intercept = ({ response }) => {
      refuse(response, new AgentError("PERMISSION_DENIED", "no"));
      return true;
    };
    const stream = chat.send("1");
    expect(transcript(chat.messages)).toEqual(["user: 1"]);
    await stream.turnId();
    await new Promise((resolve) => setImmediate(resolve));
    expect(chat.messages).toEqual([]);
    await expect(stream.output()).rejects.toMatchObject({ status: "PERMISSION_DENIED" });
  });

  it("streams a turn in one line", async () => {
    const { chat } = await open();
    const stream = chat.send("1");
    expect((await collect(stream)).map((chunk) => Object.keys(chunk)[0])).toEqual([
      "modelChunk",
      "modelChunk",
      "turnEnd",
    ]);
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1"]);
  });
});

describe("a chat", () => {
  it("sends to one session, whose id it knows before the first message", async () => {
    const { agent, server } = await openWorld();
    const chat = agent.chat();
    expect(chat.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    await Promise.all([chat.send("1").output(), chat.send("2").output()]);
    expect(server.requests.filter(({ url }) => url === "/agents/a").map(({ body }) => body?.init)).toEqual([
      { sessionId: chat.sessionId },
      { sessionId: chat.sessionId },
    ]);
    expect(chat.snapshotId).toMatch(/^turn-[12]$/);
  });

  it("carries the state of a client-managed agent", async () => {
    const { agent, server } = await openWorld(CLIENT);
    server.mode = "client";
    const state = { sessionId: "", messages: [reply("before")], artifacts: [], custom: { n: 1 } };
    const chat = agent.chat({ state });
    expect([chat.sessionId, transcript(chat.messages), chat.custom]).toEqual([undefined, ["model: before"], { n: 1 }]);
    await chat.send("1").output();
    await chat.send("2").output();
    expect(server.requests.at(-1)?.body?.init?.state?.messages).toHaveLength(3);
    expect(transcript(chat.messages)).toHaveLength(5);
  });

  it("goes on with an existing session, and can load what was said, also while a turn runs", async () => {
    const { agent, server } = await openWorld();
    await agent.runText("1", { sessionId: "s" });
    const chat = agent.chat({ sessionId: "s" });
    expect(chat.messages).toEqual([]);
    await chat.refresh();
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1"]);
    const gate = createGate();
    server.script = async () => {
      await gate.wait();
      return undefined;
    };
    await agent.streamText("2", { sessionId: "s" }).turnId();
    const reloaded = agent.chat({ sessionId: "s" });
    await reloaded.refresh();
    expect(transcript(reloaded.messages)).toEqual(["user: 1", "model: re: 1"]);
    expect(reloaded.snapshotId).toBe("turn-2");
    gate.open();
    await expect(agent.chat({ sessionId: "nobody" }).refresh()).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("branches from an earlier turn and goes on there, while the other stays where it is", async () => {
    const { agent } = await openWorld();
    const chat = agent.chat();
    const first = await chat.send("1").output();
    await chat.send("2").output();
    const branch = chat.branch(first.snapshotId as string);
    await branch.send("other 2").output();
    await branch.send("other 3").output();
    expect(transcript(branch.messages).filter((line) => line.startsWith("user"))).toEqual([
      "user: 1",
      "user: other 2",
      "user: other 3",
    ]);
    expect(transcript(chat.messages)).toHaveLength(4);
    expect(branch.sessionId).toBe(chat.sessionId);
    await branch.refresh();
    expect(branch.messages).toHaveLength(6);
  });

  it("keeps what was said when the snapshot cannot be shown, and does not undo the output", async () => {
    const { agent, server } = await openWorld();
    const chat = agent.chat();
    server.intercept = ({ url, response }) => {
      const hidden = url.endsWith("/getSnapshot");
      if (hidden) refuse(response, new AgentError("PERMISSION_DENIED", "no"));
      return hidden;
    };
    expect(await chat.send("1").output()).toMatchObject({ finishReason: "stop" });
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1"]);
  });

  it("does not show a message twice whose stream was left", async () => {
    const { agent } = await openWorld();
    const chat = agent.chat();
    await collectUntil(chat.send("1"), () => true);
    await chat.send("2").output();
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1", "user: 2", "model: re: 2"]);
  });

  it("follows custom state while it streams; a patch that does not apply is healed by the snapshot", async () => {
    const { agent, server } = await openWorld();
    const chat = agent.chat();
    server.script = (turn) => {
      turn.emit({ customPatch: [{ op: "replace", path: "", value: { n: 1 } }] });
      turn.emit({ customPatch: [{ op: "replace", path: "/n", value: 2 }] });
      turn.emit({ customPatch: [{ op: "remove", path: "/gone" }] });
      turn.emit({ customPatch: [{ op: "replace", path: "/n", value: 99 }] });
      turn.settle({ status: "completed", finishReason: "stop", messages: [], custom: { n: 3 } });
      return undefined;
    };
    const seen: unknown[] = [];
    const stream = chat.send("1");
    for await (const _ of stream) seen.push(chat.custom);
    expect(seen).toContainEqual({ n: 2 });
    expect(seen).not.toContainEqual({ n: 99 });
    expect(chat.custom).toEqual({ n: 3 });
  });

  it("gives custom state back when the turn fails", async () => {
    const { agent, server } = await openWorld();
    const chat = agent.chat();
    server.script = (turn) => {
      turn.settle({ status: "completed", finishReason: "stop", messages: [], custom: { n: 1 } });
      return undefined;
    };
    await chat.send("1").output();
    server.script = async (turn) => {
      turn.emit({ customPatch: [{ op: "replace", path: "", value: { n: 2 } }] });
      throw new Error("it broke");
    };
    await chat.send("2").output();
    expect(chat.custom).toEqual({ n: 1 });
  });
});
