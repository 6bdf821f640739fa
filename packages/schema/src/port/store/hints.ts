import type { Caller } from "./caller.ts";

/**
 * Optional part: "look again", nothing more. A hint may come twice, late, or never (the runtime polls slowly beside it),
 * and says neither what changed nor in which order: the reader asks `read` and `readEvents`, whose answers are exact.
 * A store raises one after anything of the turn changed: begin, append, abort, settle, claim, delete.
 */
export interface Hints {
  /**
   * Resolves once hints are flowing; what it resolves to stops them. An id that is unknown gives none until it exists.
   * `onHint` must not throw and is not awaited.
   */
  watch(caller: Caller, snapshotId: string, onHint: () => void): Promise<() => Promise<void>>;
}
