import { randomUUID } from "node:crypto";
import "@tooling/services";
import { type Agent, copySession, createAgents, exportSession, importSession, NO_TELEMETRY } from "@agents/core";
import type { Message } from "@agents/schema/agent";
import type { Store } from "@agents/schema/port";
import { describe, expect, inject, it } from "vitest";
import { STORES } from "./stores.ts";

const servers = { postgresUrl: inject("postgresUrl"), redisUrl: inject("redisUrl") };
const names = Object.keys(STORES);
const says = (text: string): Message => ({ role: "model", content: [{ text }] });
const caller = { scope: "" };

function agentOn(store: Store): Agent<{ turns: number }> {
  const agents = createAgents({ store, telemetry: NO_TELEMETRY });
  return agents.defineCustomAgent({ name: "echo", initialCustom: { turns: 0 } }, async (session) => {
    await session.run(async (input) => {
      session.updateCustom((draft) => {
        draft.turns += 1;
      });
      session.addMessages(says(`re: ${input.message?.content[0]?.text}`));
      if (input.message?.content[0]?.text === "fail") throw new Error("asked to");
    });
    return session.result();
  });
}

/** Two stores, and a session in the first with a branch, a failed turn, odd characters, and a turn per size of state. */
async function open(from: string, to: string) {
  const [source, target] = await Promise.all([from, to].map((name) => STORES[name]?.(servers) as Promise<Store>));
  const sessionId = `copy-${randomUUID()}`;
  const agent = agentOn(source as Store);
  const first = await agent.runText("ünïcode 👩‍👩‍👧 \u0000", { sessionId });
  await agent.runText("fail", { sessionId });
  for (let turn = 0; turn < 5; turn++) await agent.runText("x".repeat(10 ** (turn % 4)), { sessionId });
  await agent.runText("branch", { snapshotId: first.snapshotId as string });
  return { source: source as Store, target: target as Store, sessionId, agent };
}

async function rowsOf(store: Store, sessionId: string) {
  const agent = agentOn(store);
  const { snapshots } = await agent.listSnapshots({ sessionId });
  return Promise.all(snapshots.map(({ snapshotId }) => agent.getSnapshot(snapshotId)));
}

describe.each(names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const)))(
  "a session of the store %s",
  (from, to) => {
    it(`moves to the store ${to} whole, verified, and goes on there`, async () => {
      const { source, target, sessionId, agent } = await open(from, to);
      try {
        await copySession(source, target, { sessionId, caller });
        const copied = await rowsOf(target, sessionId);
        expect(copied).toEqual(await rowsOf(source, sessionId));
        expect(copied.length).toBe(8);
        const there = agentOn(target);
        for (const { snapshotId } of copied) await there.verifySnapshot(snapshotId);
        const [here, elsewhere] = await Promise.all([agent, there].map((one) => one.runText("on", { sessionId })));
        expect(elsewhere?.message).toEqual(here?.message);
        expect(await there.getLatestSnapshot(sessionId)).toMatchObject({
          stateHash: (await agent.getLatestSnapshot(sessionId)).stateHash,
        });
      } finally {
        await Promise.all([source.close(), target.close()]);
      }
    });
  },
);

describe("a session as one JSON file", () => {
  it.each(names)("leaves the store %s, and what was changed in it is refused", async (name) => {
    const { source, target, sessionId } = await open(name, "memory");
    try {
      const text = JSON.stringify(await exportSession(source, { sessionId, caller }));
      await expect(
        importSession(target, JSON.parse(text.replace("re: branch", "re: forged")), { caller }),
      ).rejects.toMatchObject({ status: "DATA_LOSS" });
      await importSession(target, JSON.parse(text), { caller });
      expect(await rowsOf(target, sessionId)).toEqual(await rowsOf(source, sessionId));
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  });
});
