import { createAgents } from "@agents/core";
import { createRedisStore } from "@agents/store-redis";
import type { Comparison } from "@tooling/bench";
import { inTurn, QUESTION, type RedisBench } from "./redis-bench.ts";

/** A conversation that no process holds yet, against reading its state from one key and parsing it. */
export async function loadComparisons({ agent, client, prefix }: RedisBench, url: string): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const messages of [1_000, 10_000]) {
    const sessionId = `${messages} messages`;
    await inTurn(messages / 2, () => agent.runText(QUESTION, { sessionId }));
    const { state } = await agent.getLatestSnapshot(sessionId);
    await client.set(`${prefix}${sessionId}`, JSON.stringify(state));
    comparisons.push({
      name: `loading ${messages} messages / reading and parsing the same bytes`,
      ours: () => loadAnew(url, prefix, sessionId),
      baseline: async () => JSON.parse((await client.get(`${prefix}${sessionId}`)) ?? ""),
      atMost: 2,
    });
  }
  return comparisons;
}

const stores = new Map<string, ReturnType<typeof createRedisStore>>();

/** By a runtime that has nothing in its cache, over a connection that is there. */
async function loadAnew(url: string, prefix: string, sessionId: string): Promise<unknown> {
  let store = stores.get(prefix);
  if (store === undefined) {
    store = createRedisStore({ url, prefix, onWarning: () => {} });
    stores.set(prefix, store);
  }
  const agent = createAgents({ store }).defineCustomAgent({ name: "bench" }, async () => undefined);
  const { state } = await agent.getLatestSnapshot(sessionId);
  return state;
}

export async function closeLoaded(): Promise<void> {
  await Promise.all([...stores.values()].map((store) => store.close()));
}
