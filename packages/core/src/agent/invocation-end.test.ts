import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, createWorld } from "../../test/agent-world.ts";
import type { Concurrency } from "../index.ts";

describe("what changed after the loop", () => {
  it("is checked by the schema, and is not stored where it does not fit", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      { name: "a", snapshot: "always", stateSchema: z.object({ n: z.number() }), initialCustom: { n: 1 } },
      async (session) => {
        await session.run(async () => {});
        session.updateCustom(() => ({ n: "two" }) as never);
      },
    );
    const output = await agent.runText("x", { sessionId: "s" });
    expect(output).toMatchObject({
      finishReason: "failed",
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("/n") },
    });
    expect(output.snapshotIds).toHaveLength(1);
    expect((await agent.getLatestSnapshot("s")).state?.custom).toEqual({ n: 1 });
  });

  /** Ends its loop, waits at the gate, and then changes its state; "hold" is a turn that waits at the other gate. */
  function openLate(options: { concurrency?: Concurrency } = {}) {
    const world = createWorld();
    const [late, hold] = [createGate(), createGate()];
    const agent = world.agents.defineCustomAgent(
      { name: "a", snapshot: "always", initialCustom: { late: false }, ...options },
      async (session) => {
        let text: string | undefined;
        await session.run(async (input) => {
          text = input.message?.content[0]?.text;
          if (text === "hold") await hold.wait();
        });
        if (text !== "late") return;
        await late.wait();
        session.updateCustom(() => ({ late: true }));
      },
    );
    return { ...world, agent, late, hold };
  }

  it("is not saved over a turn that another invocation added meanwhile: the output says so", async () => {
    const { agent, late } = openLate();
    const output = agent.runText("late", { sessionId: "s" });
    await late.reached();
    const other = await agent.runText("other", { sessionId: "s" });
    late.open();
    expect(await output).toMatchObject({ finishReason: "failed", error: { status: "ABORTED" } });
    expect(await agent.getLatestSnapshot("s")).toMatchObject({
      snapshotId: other.snapshotId,
      state: { custom: { late: false } },
    });
  });

  it.each<Concurrency>(["reject", "queue", "interrupt"])(
    "neither rejects, waits for nor stops another's turn that is under way, with %s",
    async (concurrency) => {
      const { agent, late, hold } = openLate({ concurrency });
      const output = agent.runText("late", { sessionId: "s" });
      await late.reached();
      const other = agent.runText("hold", { sessionId: "s" });
      await hold.reached();
      late.open();
      expect(await output).toMatchObject({
        finishReason: "failed",
        error: { status: "ABORTED" },
        snapshotIds: [expect.any(String)],
      });
      hold.open();
      expect(await other).toMatchObject({ finishReason: "stop" });
    },
  );
});
