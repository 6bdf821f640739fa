/** Where a call may be stopped: after all was prepared and before it is sent, and when its answer is there. */
export const REDIS_STORE_STEPS = [
  "begin:before-send",
  "begin:answered",
  "append:before-send",
  "append:answered",
  "settle:before-send",
  "settle:answered",
] as const;

export type RedisStoreStep = (typeof REDIS_STORE_STEPS)[number];

/** For tests that break a process at a step. What it throws is what the call throws. */
export type OnStep = (step: RedisStoreStep) => void | Promise<void>;
