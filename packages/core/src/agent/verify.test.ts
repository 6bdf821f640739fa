import type { Store } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, withTurns } from "../../test/agent-world.ts";

/** What the store reads back says "forged" where "genuine" was said, once it is told to. */
function open(options: object = {}) {
  const world = createWorld();
  const gate = createGate();
  let forged = false;
  const store: Store = withTurns(world.store, {
    async read(...args) {
      const row = await world.store.turns.read(...args);
      return forged && row !== undefined
        ? (JSON.parse(JSON.stringify(row).replaceAll("genuine", "forged")) as typeof row)
        : row;
    },
  });
  const agent = world.agents.defineCustomAgent(
    { name: "a", store, initialCustom: { n: 0 }, ...options },
    async (session) => {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text;
        if (text === "block") await gate.wait();
        if (text === "bad") throw new Error("it broke");
        session.addMessages(model("genuine"));
      });
    },
  );
  const forge = () => {
    forged = true;
  };
  return { ...world, gate, agent, forge };
}

describe("verifySnapshot", () => {
  it("hashes the stored state again, of the first turn and of later ones, which are patches", async () => {
    const { agent } = open();
    for (let turn = 0; turn < 5; turn++) {
      const { snapshotId } = await agent.runText(`${turn}`, { sessionId: "s" });
      const { stateHash } = await agent.getSnapshot(snapshotId as string);
      expect(await agent.verifySnapshot(snapshotId as string)).toMatchObject({ snapshotId, stateHash });
    }
  });

  it("is DATA_LOSS where the state is not what was stored, also if this process still holds that one", async () => {
    const { agent, forge } = open();
    const ids = [];
    for (let turn = 0; turn < 3; turn++) ids.push((await agent.runText(`${turn}`, { sessionId: "s" })).snapshotId);
    forge();
    for (const id of ids) {
      const { stateHash } = await agent.getSnapshot(id as string);
      await expect(agent.verifySnapshot(id as string)).rejects.toMatchObject({
        status: "DATA_LOSS",
        details: { snapshotId: id, expected: stateHash, actual: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
    }
  });

  it("has nothing to hash of a turn without a state of its own: one in flight, failed, or declined", async () => {
    const { agent, gate } = open();
    const stream = agent.streamText("block");
    await gate.reached();
    expect(await agent.verifySnapshot((await stream.turnId()) as string)).toMatchObject({ status: "pending" });
    gate.open();
    await stream.output();
    const failing = agent.streamText("bad");
    await failing.output();
    expect(await agent.verifySnapshot((await failing.turnId()) as string)).toMatchObject({ status: "failed" });
    const never = open({ snapshot: "never" }).agent;
    const declined = never.streamText("x");
    await declined.output();
    expect(await never.verifySnapshot((await declined.turnId()) as string)).toMatchObject({ status: "completed" });
  });
});

describe("the hash of a state", () => {
  it("is the same whatever way led to it: turn by turn or at once, as patches or whole", async () => {
    const world = createWorld();
    const counting = world.agents.defineCustomAgent({ name: "counting" }, async (session) => {
      await session.run(async (input) => {
        const count = Number(input.message?.content[0]?.text);
        session.setMessages(Array.from({ length: count }, (_, n) => model(`${n}`)));
      });
    });
    for (const text of ["1", "2", "3"]) await counting.runText(text, { sessionId: "stepwise" });
    await counting.runText("3", { sessionId: "at once" });
    const [one, other] = await Promise.all(["stepwise", "at once"].map((id) => counting.getLatestSnapshot(id)));
    expect(one?.state?.messages).toEqual(other?.state?.messages);
    expect(one?.stateHash).toBe(other?.stateHash);
  });
});
