import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, transcript, without } from "../../test/agent-world.ts";

const OPTIONAL = ["events", "hints", "index"] as const;

/** An agent whose store lacks these parts. */
function open(...parts: (typeof OPTIONAL)[number][]) {
  const world = createWorld();
  const gate = createGate();
  const store = without(world.store, ...parts);
  const define = (agents = world.agents) =>
    agents.defineCustomAgent({ name: "a", store }, async (session, { sendChunk, abortSignal }) => {
      await session.run(async (input) => {
        await sendChunk({ modelChunk: { content: [{ text: "…" }] } });
        await sendChunk({ status: "working" });
        if (input.message?.content[0]?.text === "block") await gate.wait(abortSignal);
        session.addMessages(model("re"));
      });
      return session.result();
    });
  return { ...world, store, gate, define, agent: define() };
}

describe("a store with the required part alone", () => {
  it("runs and streams turns, resumes, branches, reads and verifies", async () => {
    const { agent } = open(...OPTIONAL);
    const stream = agent.streamText("1", { sessionId: "s" });
    expect((await collect(stream)).map((chunk) => Object.keys(chunk)[0])).toEqual(["modelChunk", "status", "turnEnd"]);
    const { snapshotId } = await stream.output();
    await agent.runText("2", { sessionId: "s" });
    await agent.runText("3", { snapshotId: snapshotId as string });
    const { state, parentId } = await agent.getLatestSnapshot("s");
    expect(parentId).toBe(snapshotId);
    expect(transcript(state?.messages)).toEqual(["user: 1", "model: re", "user: 3", "model: re"]);
    expect(await agent.verifySnapshot(snapshotId as string)).toMatchObject({ status: "completed" });
  });

  it("waits for a turn of another process, and aborts one there, at the pace of the poll and the heartbeat", async () => {
    const { agent, gate, define, another, clock } = open(...OPTIONAL);
    const stream = agent.streamText("block", { sessionId: "s" });
    await gate.reached();
    const turnId = (await stream.turnId()) as string;
    const other = define(another());
    const waiting = other.waitForSnapshot(turnId);
    expect(await other.abort(turnId)).toMatchObject({ previousStatus: "pending", status: "aborting" });
    await clock.advance(20_000);
    expect(await stream.output()).toMatchObject({ finishReason: "aborted" });
    await clock.advance(1_000);
    expect(await waiting).toMatchObject({ status: "aborted" });
  });
});

describe("what needs a part that the store lacks is FAILED_PRECONDITION, naming store, agent and part", () => {
  const refused = (part: string) => ({
    status: "FAILED_PRECONDITION",
    message: expect.stringMatching(new RegExp(`agent 'a'.*"memory".*"${part}"`)),
  });

  it("events: following a turn", async () => {
    const { agent } = open("events");
    const { snapshotId } = await agent.runText("1");
    expect(() => agent.follow(snapshotId as string)).toThrow(expect.objectContaining(refused("events")));
  });

  it("hints: leaving a turn", async () => {
    const { agent } = open("hints");
    await expect(agent.connect().detach()).rejects.toMatchObject(refused("hints"));
  });

  it("index: listing snapshots", async () => {
    const { agent } = open("index");
    await agent.runText("1", { sessionId: "s" });
    await expect(agent.listSnapshots({ sessionId: "s" })).rejects.toMatchObject(refused("index"));
  });
});

describe("agent.store", () => {
  it("is the store as it was given, for raw access, and undefined where the client carries the state", async () => {
    const { agent, store, agents } = open();
    expect(agent.store).toBe(store);
    const { snapshotId } = await agent.runText("1");
    const row = await agent.store?.turns.read({ scope: "" }, { snapshotId: snapshotId as string }, "meta");
    expect(row?.turn).toMatchObject({ agent: "a", status: "completed" });
    const carried = agents.defineCustomAgent({ name: "c", stateManagement: "client" }, async () => {});
    expect(carried.store).toBeUndefined();
  });
});
