/** Where a process can die, in the order of a write. */
const MOMENTS = ["before-write", "half-written", "written", "synced"] as const;
const OPERATIONS = ["begin", "append", "settle"] as const;

export type SteppedOperation = (typeof OPERATIONS)[number];
export type FileStoreStep = `${SteppedOperation}:${(typeof MOMENTS)[number]}`;

/**
 * Every step that `onStep` is called at. `before-write`: decided, nothing written. `half-written`: the first half of the
 * record is in the file. `written`: the record is in the file, and counts for everybody. `synced`: it is on the disk (with
 * `durability: "os"` the same as written); nothing is left but to answer.
 */
export const FILE_STORE_STEPS: readonly FileStoreStep[] = OPERATIONS.flatMap((operation) =>
  MOMENTS.map((moment) => `${operation}:${moment}` as const),
);
