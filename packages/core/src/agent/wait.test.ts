import { AgentError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, says, withTurns } from "../../test/agent-world.ts";

/** Hints as a store may give them: to be raised by hand, late, twice, or not at all. */
function open() {
  const world = createWorld();
  const gate = createGate();
  const watchers = new Set<() => void>();
  let isAway = false;
  const away = (value: boolean) => {
    isAway = value;
  };
  const store: Store = {
    ...withTurns(world.store, {
      async read(...args) {
        if (isAway) throw new AgentError("UNAVAILABLE", "away");
        return world.store.turns.read(...args);
      },
    }),
    hints: {
      async watch(_caller, _id, onHint) {
        watchers.add(onHint);
        return async () => void watchers.delete(onHint);
      },
    },
  };
  const define = (agents = world.agents) =>
    agents.defineCustomAgent({ name: "a", store }, async (session, { abortSignal }) => {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text;
        await gate.wait(abortSignal);
        if (text === "bad") throw new Error("it broke");
        session.addMessages(model("re"));
      });
    });
  const hint = () => {
    for (const onHint of [...watchers]) onHint();
  };
  const agent = define();
  const leave = async (text: string) => (await agent.run({ ...says(text), detach: true })).snapshotId as string;
  return { ...world, gate, agent, elsewhere: define(world.another()), leave, hint, watchers, away };
}

describe("whoever waits for a snapshot", () => {
  it.each([
    ["good", "completed"],
    ["bad", "failed"],
  ])("gets the final status although every hint is lost: %s", async (text, status) => {
    const { agent, elsewhere, leave, gate, clock } = open();
    const id = await leave(text);
    const waiting = [agent, elsewhere].map((one) => one.waitForSnapshot(id));
    await gate.reached();
    gate.open();
    await clock.advance(1_000);
    for (const snapshot of await Promise.all(waiting)) expect(snapshot).toMatchObject({ snapshotId: id, status });
  });

  it("is not misled by hints that come twice, early, or for nothing, and looks at once when one comes", async () => {
    const { elsewhere, leave, gate, clock, hint, watchers } = open();
    const id = await leave("good");
    await gate.reached();
    let done: unknown;
    const waiting = elsewhere.waitForSnapshot(id).then((snapshot) => {
      done = snapshot.status;
    });
    for (let n = 0; n < 10; n++) {
      hint();
      hint();
      await clock.advance(0);
    }
    expect(done).toBeUndefined();
    gate.open();
    await clock.advance(0);
    hint();
    await clock.advance(0);
    expect(done).toBe("completed");
    await waiting;
    await clock.advance(100);
    expect(watchers.size).toBe(0);
  });

  it("gets the same answer as a thousand others, and none of them leaves a listener or a timer", async () => {
    const { agent, elsewhere, leave, gate, clock, hint, watchers } = open();
    const id = await leave("good");
    const waiting = Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? agent : elsewhere).waitForSnapshot(id));
    await clock.advance(10);
    expect(watchers.size).toBeGreaterThanOrEqual(1_000);
    gate.open();
    await clock.advance(0);
    hint();
    await clock.advance(0);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe("completed");
    await clock.advance(60_000);
    expect(watchers.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it("gets it at once when it is there already, and expired where nobody works on it any more", async () => {
    const { elsewhere, leave, gate, clock, store } = open();
    const id = await leave("good");
    await gate.reached();
    const { sessionId } = await elsewhere.getSnapshot(id);
    await store.turns.heartbeat([{ caller: { scope: "" }, lease: { snapshotId: id, sessionId, epoch: 1 } }], 1);
    await clock.advance(2);
    expect(await elsewhere.waitForSnapshot(id)).toMatchObject({ status: "expired" });
    gate.open();
    await clock.advance(0);
    expect(await elsewhere.waitForSnapshot(id, { timeoutMs: 1 })).toMatchObject({ status: "completed" });
  });

  it("waits on when the store is away for a moment", async () => {
    const { elsewhere, leave, gate, clock, away } = open();
    const id = await leave("good");
    await gate.reached();
    let status: unknown;
    const waiting = elsewhere.waitForSnapshot(id).then((snapshot) => {
      status = snapshot.status;
    });
    await clock.advance(10);
    away(true);
    await clock.advance(5_000);
    away(false);
    expect(status).toBeUndefined();
    gate.open();
    await clock.advance(5_000);
    await waiting;
    expect(status).toBe("completed");
  });

  it("is told when it takes too long", async () => {
    const { agent, leave, gate, clock } = open();
    const id = await leave("good");
    const tooLate = expect(agent.waitForSnapshot(id, { timeoutMs: 5_000 })).rejects.toMatchObject({
      status: "DEADLINE_EXCEEDED",
      details: { snapshotId: id, status: "pending", timeoutMs: 5_000 },
    });
    await clock.advance(5_000);
    await tooLate;
    gate.open();
  });
});
