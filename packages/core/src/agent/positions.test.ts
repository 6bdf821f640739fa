import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model, says } from "../../test/agent-world.ts";

function open(options: object = {}) {
  const world = createWorld();
  const agent = world.agents.defineCustomAgent({ name: "a", initialCustom: { n: 0 }, ...options }, async (session) => {
    await session.run(async () => {
      session.updateCustom((draft) => {
        draft.n += 1;
      });
      session.addMessages(model("x"));
    });
  });
  return { ...world, agent };
}

describe("a connection", () => {
  it("names each turn when it has its row, and gives its chunks the positions under which they can be re-joined", async () => {
    const { agent } = open();
    const turns: string[] = [];
    const connection = agent.connect({ onTurn: (turnId) => turns.push(turnId) });
    await connection.send(says("1"));
    await connection.send(says("2"));
    connection.close();
    const seen = await collect(connection.positioned?.() as ReturnType<typeof agent.follow>);
    const { snapshotIds } = await connection.output();
    expect(turns).toEqual(snapshotIds);
    expect(connection.custom).toEqual({ n: 2 });
    const followed = await Promise.all(turns.map((turnId) => collect(agent.follow(turnId))));
    expect(followed.flat()).toEqual(seen);
  });

  it("says at once that a turn has no id where the client carries the state, before anything of it is read", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      { name: "long", stateManagement: "client" },
      async (session, { sendChunk }) => {
        await session.run(async () => {
          for (let index = 0; index < 500; index++) await sendChunk({ modelChunk: { content: [{ text: "x" }] } });
        });
      },
    );
    const stream = agent.streamText("go");
    expect(await stream.turnId()).toBeUndefined();
    expect(await collect(stream)).toHaveLength(501);
  });

  it("names no turn where the client carries the state", async () => {
    const { agent } = open({ stateManagement: "client" });
    const turns: string[] = [];
    await agent.runText("1", { onTurn: (turnId) => turns.push(turnId) });
    expect(turns).toEqual([]);
  });
});
