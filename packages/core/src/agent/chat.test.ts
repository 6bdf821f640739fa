import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model, transcript } from "../../test/agent-world.ts";

function open(options: object = {}) {
  const world = createWorld();
  const define = (agents = world.agents) =>
    agents.defineCustomAgent({ name: "a", initialCustom: { n: 0 }, ...options }, async (session) => {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text;
        session.updateCustom((draft) => {
          draft.n += 1;
        });
        session.addMessages(model(`re: ${text}`));
        if (text === "bad") throw new Error("it broke");
      });
      return session.result();
    });
  return { ...world, agent: define(), define };
}

describe.each(["server", "client"] as const)("a chat with a %s-managed agent", (stateManagement) => {
  it("remembers where it is, and shows the conversation as the server has it", async () => {
    const chat = open({ stateManagement }).agent.chat();
    await chat.send("1").output();
    await chat.send("2").output();
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1", "user: 2", "model: re: 2"]);
    expect(chat.custom).toEqual({ n: 2 });
  });

  it("stays usable after a turn that failed, with what was there before", async () => {
    const chat = open({ stateManagement }).agent.chat();
    await chat.send("1").output();
    expect(await chat.send("bad").output()).toMatchObject({ finishReason: "failed" });
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1"]);
    await chat.send("2").output();
    expect(transcript(chat.messages).slice(2)).toEqual(["user: 2", "model: re: 2"]);
  });

  it("streams a turn in one line, without losing what nobody has read yet", async () => {
    const chat = open({ stateManagement }).agent.chat();
    const stream = chat.send("1");
    await stream.turnId();
    const chunks = await collect(stream);
    expect(chunks.map((chunk) => Object.keys(chunk)[0])).toEqual(["customPatch", "turnEnd"]);
    expect(await stream.output()).toMatchObject({ message: model("re: 1") });
  });
});

describe("a chat", () => {
  it("goes on with an existing session, in another process, and can load what was said", async () => {
    const { agent, define, another } = open();
    const { sessionId } = await agent.runText("1");
    const chat = define(another()).chat({ sessionId });
    expect(chat.messages).toEqual([]);
    await chat.refresh();
    expect(transcript(chat.messages)).toEqual(["user: 1", "model: re: 1"]);
    await chat.send("2").output();
    expect(chat.messages).toHaveLength(4);
    await expect(agent.chat({ sessionId: "nobody" }).refresh()).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("branches from an earlier turn and goes on there, while the other stays where it is", async () => {
    const { agent } = open();
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
  });

  it("knows its session before the first message, and its snapshot after it", async () => {
    const { agent } = open();
    const chat = agent.chat();
    expect(chat.sessionId).toMatch(/\S/);
    expect(chat.snapshotId).toBeUndefined();
    const output = await chat.send("1").output();
    expect([chat.sessionId, chat.snapshotId]).toEqual([output.sessionId, output.snapshotId]);
  });
});
