import { type RedisStore, storeOver } from "../src/create-redis-store.ts";
import type { RedisStoreOptions } from "../src/redis-store-options.ts";

/** A store whose clock a test can move: what is added to the server's time. */
export interface TestRedisStore extends RedisStore {
  readonly options: RedisStoreOptions;
  readonly clock: { skewMs: number };
}

export function openTestStore(options: RedisStoreOptions, clock = { skewMs: 0 }): TestRedisStore {
  const quiet = { onWarning: () => {}, ...options };
  return { ...storeOver(quiet, clock), options: quiet, clock };
}

/** Another instance over the same data and clock. */
export function reopenTestStore({ options, clock }: TestRedisStore): TestRedisStore {
  return openTestStore(options, clock);
}
