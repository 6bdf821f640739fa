import { randomUUID } from "node:crypto";
import { type Agent, createAgents } from "@agents/core";
import { createRedisStore, type RedisStore } from "@agents/store-redis";
import { createClient } from "redis";

export type BenchClient = ReturnType<typeof createClient>;

/** A store, an agent over it that answers at once, and a client for the bare commands it is compared with. */
export interface RedisBench {
  readonly client: BenchClient;
  readonly store: RedisStore;
  readonly agent: Agent;
  readonly prefix: string;
  close(): Promise<void>;
}

/** What a turn says: with its answer, 480 bytes as JSON. */
export const QUESTION = "x".repeat(195);
const ANSWER = { role: "model" as const, content: [{ text: "y".repeat(203) }] };

export async function openBench(url: string): Promise<RedisBench> {
  const prefix = `bench-${randomUUID()}:`;
  const store = createRedisStore({ url, prefix, onWarning: () => {} });
  const client = createClient({ url });
  await client.connect();
  const agent = createAgents({ store }).defineCustomAgent({ name: "bench" }, async (session) => {
    await session.run(async () => session.addMessages(ANSWER));
    return session.result();
  });
  return {
    client: client as BenchClient,
    store,
    agent,
    prefix,
    async close() {
      await store.close();
      await client.close();
    },
  };
}

/** Bytes of a turn's messages as they are stored. */
export function turnJson(): string {
  const messages = [{ role: "user", content: [{ text: QUESTION }] }, ANSWER];
  return JSON.stringify(messages);
}

export async function inTurn(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await run();
}
