import type { Clock, Hints, Store } from "@agents/schema/port";
import { referenceEvents } from "./reference-events.ts";
import { referenceIndex } from "./reference-index.ts";
import type { ReferenceRows, TurnRow } from "./reference-rows.ts";
import { referenceTurns } from "./reference-turns.ts";

export interface ReferenceStoreOptions {
  readonly clock: Pick<Clock, "now">;
  /** Whether batches are stored: a store without the part `events` ignores them. @default true */
  readonly keepsEvents?: boolean;
}

/**
 * The port's rules, written as plainly as possible: every store is compared with it, so that a rule is read once more
 * in code. Slow on purpose (it looks through lists), complete, and not for use.
 */
export function createReferenceStore({ clock, keepsEvents = true }: ReferenceStoreOptions): Required<Store> {
  const watches = new Set<Watch>();
  const rows: ReferenceRows = {
    now: () => clock.now(),
    changed(row) {
      for (const watch of watches) if (isWatched(watch, row)) watch.onHint();
    },
    keepsEvents,
    sessions: [],
    turns: [],
  };
  return {
    name: "reference",
    turns: referenceTurns(rows),
    events: referenceEvents(rows),
    hints: referenceHints(watches),
    index: referenceIndex(rows),
    health: async () => ({ durable: false, warnings: ["keeps everything in memory"] }),
    close: async () => watches.clear(),
  };
}

interface Watch {
  readonly scope: string;
  readonly snapshotId: string;
  readonly onHint: () => void;
}

function isWatched({ scope, snapshotId }: Watch, row: TurnRow): boolean {
  return row.scope === scope && row.meta.snapshotId === snapshotId;
}

function referenceHints(watches: Set<Watch>): Hints {
  return {
    async watch({ scope }, snapshotId, onHint) {
      const watch = { scope, snapshotId, onHint };
      watches.add(watch);
      return async () => {
        watches.delete(watch);
      };
    },
  };
}
