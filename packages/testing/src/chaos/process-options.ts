export const DEFAULT_PATIENCE_MS = 5_000;

/** How processes that have a store are started. */
export interface ProcessOptions {
  /** The module that exports `openStore` (an `OpenProcessStore`): `new URL("./open-my-store.ts", import.meta.url)`. */
  readonly store: URL;
  /**
   * Options of node for the processes. A module in TypeScript needs a loader: `["--import", "tsx"]`.
   *
   * @default none
   */
  readonly execArgv?: readonly string[];
  /**
   * Milliseconds after which an operation that was not answered counts as stuck. Nothing that another process did, or
   * stopped doing, may hold one up so long. @default 5_000
   */
  readonly patienceMs?: number;
}
