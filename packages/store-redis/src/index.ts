export { type OnStep, REDIS_STORE_STEPS, type RedisStoreStep } from "./context/redis-store-steps.ts";
export { createRedisStore, type RedisStore } from "./create-redis-store.ts";
export type { RedisStoreOptions, RedisStoreSettings } from "./redis-store-options.ts";
export type {
  RedisClientLike,
  RedisClusterLike,
  RedisCommandOptions,
  RedisSubscriberLike,
} from "./server/redis-client.ts";
