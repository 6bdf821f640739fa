/** Where a call of the store can be caught: before it is sent, and when it was answered. */
export const POSTGRES_STORE_STEPS = [
  "begin:before-send",
  "begin:answered",
  "append:before-send",
  "append:answered",
  "settle:before-send",
  "settle:answered",
] as const;

export type PostgresStoreStep = (typeof POSTGRES_STORE_STEPS)[number];
