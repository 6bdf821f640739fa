import { randomUUID } from "node:crypto";
import { testStore } from "@agents/testing/store";
import { afterAll, describe, expect, it } from "vitest";
import { openTestStore, reopenTestStore } from "../test/open-test-store.ts";
import { startOwnCluster } from "../test/own-cluster.ts";
import { LEASE_MS, NOBODY, sendRequest, turn } from "../test/turn-driver.ts";

const cluster = await startOwnCluster();
const client = await cluster.client();
afterAll(() => cluster.stop());

testStore({
  name: "redis cluster of three",
  create: () => openTestStore({ client, prefix: `test-${randomUUID()}:` }),
  reopen: reopenTestStore,
  advance: (ms, store) => {
    store.clock.skewMs += ms;
  },
  randomRuns: 20,
});

describe("a cluster", () => {
  it("has sessions on all of its nodes, renews their leases in one call, and lists them in one order", async () => {
    const store = openTestStore({ client, prefix: `test-${randomUUID()}:` });
    const sessions = Array.from({ length: 40 }, (_, number) => `session ${number}`);
    const leases = [];
    for (const sessionId of sessions) {
      const begun = await store.turns.begin(NOBODY, sendRequest(sessionId));
      if (begun.type === "begun") leases.push({ caller: NOBODY, lease: begun.lease });
    }
    const sizes = await Promise.all(cluster.nodes.map(async (node) => (await node.client()).dbSize()));
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    const beats = await store.turns.heartbeat(leases, LEASE_MS);
    expect(beats.map(({ ok, turn }) => [ok, turn?.sessionId])).toEqual(sessions.map((id) => [true, id]));
    const listed = await store.index.listSessions(NOBODY, { limit: 100 });
    expect(listed.items.map(({ sessionId }) => sessionId)).toEqual(sessions.toReversed());
    await store.close();
  });

  it("gives hints from one node to watchers at another, and finds another node when theirs is gone", async () => {
    const store = openTestStore({ client, prefix: `test-${randomUUID()}:` });
    const { id } = await turn(store, "s");
    let hints = 0;
    await store.hints.watch(NOBODY, id, () => {
      hints++;
    });
    for (const node of cluster.nodes) await (await node.client()).sendCommand(["CLIENT", "KILL", "TYPE", "pubsub"]);
    await expect.poll(() => hints).toBeGreaterThan(0);
    await store.close();
  });

  it("is looked at node by node for its health", async () => {
    const store = openTestStore({ client, prefix: `test-${randomUUID()}:` });
    expect(await store.health()).toMatchObject({
      durable: false,
      warnings: [expect.stringContaining("appendonly yes")],
    });
    await (await (cluster.nodes[2] ?? cluster.nodes[0])?.client())?.sendCommand(["CONFIG", "SET", "maxmemory", "1gb"]);
    await (await (cluster.nodes[2] ?? cluster.nodes[0])?.client())?.sendCommand([
      "CONFIG",
      "SET",
      "maxmemory-policy",
      "allkeys-lru",
    ]);
    expect((await store.health()).warnings).toContainEqual(expect.stringContaining("allkeys-lru"));
    await store.close();
  });
});
