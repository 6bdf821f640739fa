import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, says, transcript, without } from "../../test/agent-world.ts";

/** Waits at a gate in each turn, then answers. A message "bad" fails. */
function open(options: object = {}) {
  const world = createWorld();
  const gate = createGate();
  const started: string[] = [];
  const agent = world.agents.defineCustomAgent(
    { name: "slow", ...options },
    async (session, { sendChunk, abortSignal }) => {
      await session.run(async (input, turn) => {
        const text = input.message?.content[0]?.text ?? "";
        started.push(`${text} in ${turn.snapshotId} as ${turn.turnIndex}`);
        await gate.wait(abortSignal);
        await sendChunk({ modelChunk: { content: [{ text }] } });
        if (text === "bad") throw new Error("it broke");
        session.addMessages(model(`re: ${text}`));
      });
      return session.result();
    },
  );
  return { ...world, gate, agent, started };
}

describe("detach", () => {
  it("returns the id of the pending row at once, and the work goes on without the client", async () => {
    const { agent, gate } = open();
    const output = await agent.run({ ...says("work"), detach: true }, { sessionId: "s" });
    expect(output).toEqual({ sessionId: "s", snapshotId: output.snapshotId, finishReason: "detached" });
    expect(await agent.getSnapshot(output.snapshotId as string)).toMatchObject({ status: "pending" });
    gate.open();
    const done = await agent.waitForSnapshot(output.snapshotId as string);
    expect(done).toMatchObject({ status: "completed", finishReason: "stop" });
    expect(transcript(done.state?.messages)).toEqual(["user: work", "model: re: work"]);
  });

  it("in the middle of a turn still settles that turn's row", async () => {
    const { agent, gate } = open();
    const connection = agent.connect({ sessionId: "s" });
    await connection.sendText("work");
    await gate.reached();
    const output = await connection.detach();
    expect(output.finishReason).toBe("detached");
    gate.open();
    expect(await agent.waitForSnapshot(output.snapshotId as string)).toMatchObject({ status: "completed" });
  });

  it("runs what was queued in the row in flight, which settles once with the cumulative state", async () => {
    const { agent, gate, started } = open();
    const connection = agent.connect({ sessionId: "s" });
    await connection.sendText("1");
    await gate.reached();
    await connection.sendText("2");
    await connection.send({ ...says("3"), detach: true });
    const { snapshotId } = await connection.output();
    for (let n = 0; n < 3; n++) gate.open();
    const { state, status } = await agent.waitForSnapshot(snapshotId as string);
    expect(status).toBe("completed");
    expect(transcript(state?.messages)).toEqual([
      "user: 1",
      "model: re: 1",
      "user: 2",
      "model: re: 2",
      "user: 3",
      "model: re: 3",
    ]);
    expect(started).toEqual([0, 1, 2].map((n) => `${n + 1} in ${snapshotId} as ${n}`));
    expect((await agent.listSnapshots({ sessionId: "s" })).snapshots).toHaveLength(1);
  });

  it("is seen ahead of queued inputs", async () => {
    const { agent, gate } = open();
    const connection = agent.connect({ sessionId: "s" });
    for (const text of ["1", "2", "3"]) await connection.sendText(text);
    await gate.reached();
    const output = await connection.detach();
    expect(output.finishReason).toBe("detached");
    expect(await agent.getSnapshot(output.snapshotId as string)).toMatchObject({ status: "pending" });
    for (let n = 0; n < 3; n++) gate.open();
    expect((await agent.waitForSnapshot(output.snapshotId as string)).state?.messages).toHaveLength(6);
  });

  it("alone starts no turn: without work in flight its row is completed at once, with the state as it is", async () => {
    const { agent, gate } = open();
    const connection = agent.connect({ sessionId: "s" });
    await connection.sendText("1");
    await gate.reached();
    gate.open();
    await collect(connection.receiveTurn());
    const output = await connection.detach();
    const { snapshots } = await agent.listSnapshots({ sessionId: "s" });
    expect(snapshots[0]).toMatchObject({ snapshotId: output.snapshotId });
    const done = await agent.waitForSnapshot(output.snapshotId as string);
    expect(done).toMatchObject({ status: "completed", parentId: snapshots[1]?.snapshotId });
    expect(transcript(done.state?.messages)).toEqual(["user: 1", "model: re: 1"]);
  });

  it("never makes a row its own parent", async () => {
    const { agent, gate } = open();
    for (let n = 0; n < 3; n++) {
      gate.open();
      const { snapshotId } = await agent.run({ ...says(`${n}`), detach: true }, { sessionId: "s" });
      await agent.waitForSnapshot(snapshotId as string);
    }
    const { snapshots } = await agent.listSnapshots({ sessionId: "s" });
    const parents = snapshots.map(({ parentId }) => parentId);
    expect(parents).toEqual([...snapshots.slice(1).map(({ snapshotId }) => snapshotId), undefined]);
  });

  it("lets nothing reach the connection afterwards, turnEnd included, while the log goes on filling", async () => {
    const { agent, gate } = open();
    const connection = agent.connect({ sessionId: "s" });
    await connection.sendText("1");
    await gate.reached();
    const { snapshotId } = await connection.detach();
    gate.open();
    await agent.waitForSnapshot(snapshotId as string);
    expect(await collect(connection.receive())).toEqual([]);
    const followed = await collect(agent.follow(snapshotId as string));
    expect(followed.map((item) => "chunk" in item && Object.keys(item.chunk)[0])).toEqual(["modelChunk", "turnEnd"]);
  });

  it("does not wait for a reader that is gone, however much is streamed", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session, { sendChunk }) => {
      await session.run(async () => {
        for (let n = 0; n < 500; n++) await sendChunk({ modelChunk: { content: [{ text: `${n}` }] } });
      });
    });
    const { snapshotId } = await agent.run({ ...says("go"), detach: true });
    expect(await agent.waitForSnapshot(snapshotId as string)).toMatchObject({ status: "completed" });
    expect(await collect(agent.follow(snapshotId as string))).toHaveLength(501);
  });

  it("keeps what finished when a queued input fails, and fails the row", async () => {
    const { agent, gate } = open();
    const connection = agent.connect({ sessionId: "s" });
    await connection.sendText("1");
    await gate.reached();
    await connection.sendText("bad");
    await connection.send({ ...says("never"), detach: true });
    const { snapshotId } = await connection.output();
    for (let n = 0; n < 3; n++) gate.open();
    const failed = await agent.waitForSnapshot(snapshotId as string);
    expect(failed).toMatchObject({ status: "failed", error: { message: "it broke" } });
    expect(transcript(failed.state?.messages)).toEqual(["user: 1", "model: re: 1"]);
  });

  it("carries the state of the last finished input when it is aborted", async () => {
    const { agent, gate } = open();
    const connection = agent.connect({ sessionId: "s" });
    await connection.sendText("1");
    await gate.reached();
    await connection.send({ ...says("2"), detach: true });
    const { snapshotId } = await connection.output();
    gate.open();
    await gate.reached();
    expect(await agent.abort(snapshotId as string)).toMatchObject({ previousStatus: "pending" });
    const aborted = await agent.waitForSnapshot(snapshotId as string);
    expect(aborted).toMatchObject({ status: "aborted", finishReason: "aborted" });
    expect(transcript(aborted.state?.messages)).toEqual(["user: 1", "model: re: 1"]);
  });

  it("closes the input side", async () => {
    const { agent, gate } = open();
    const connection = agent.connect();
    await connection.send({ ...says("1"), detach: true });
    await expect(connection.sendText("2")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    gate.open();
    await connection.output();
  });

  it("is not undone by a signal that is aborted later", async () => {
    const { agent, gate } = open();
    const controller = new AbortController();
    const { snapshotId } = await agent.run({ ...says("1"), detach: true }, { signal: controller.signal });
    controller.abort();
    gate.open();
    expect(await agent.waitForSnapshot(snapshotId as string)).toMatchObject({ status: "completed" });
  });

  it("needs a store with hints, and says so without starting a turn", async () => {
    const world = createWorld();
    const agent = world.agents.defineCustomAgent({ name: "a", store: without(world.store, "hints") }, async (session) =>
      session.run(async () => {}),
    );
    await expect(agent.run({ ...says("1"), detach: true }, { sessionId: "s" })).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message: expect.stringContaining('"hints"'),
    });
    await expect(agent.getLatestSnapshot("s")).rejects.toMatchObject({ status: "NOT_FOUND" });
    expect(await agent.runText("2", { sessionId: "s" })).toMatchObject({ finishReason: "stop" });
  });
});
