import { createRedisStore, type RedisStore } from "../src/index.ts";

/** What the chaos kit opens in processes of its own, over one server. */
export function openStore(
  { url, prefix }: { readonly url: string; readonly prefix: string },
  { onStep }: { onStep(step: string): void | Promise<void> },
): RedisStore {
  return createRedisStore({ url, prefix, onStep, onWarning: () => {} });
}
