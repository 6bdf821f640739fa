import type { Caller } from "@agents/schema/port";
import type { TurnLog } from "./turn-log.ts";

/** A turn that this process is working on. */
export interface LiveTurn {
  readonly log: TurnLog | undefined;
  /** Its row is `aborting`. */
  abort(): void;
}

/** The turns of this process, by id: those who follow or stop one here need not go through the store. */
export interface LiveTurns {
  add(caller: Caller, snapshotId: string, turn: LiveTurn): () => void;
  /** Only for a caller that may see the row: ask the store first. */
  find(caller: Caller, snapshotId: string): LiveTurn | undefined;
  readonly size: number;
}

export function createLiveTurns(): LiveTurns {
  const turns = new Map<string, LiveTurn>();
  const key = ({ scope }: Caller, snapshotId: string) => `${scope.length}:${scope}${snapshotId}`;
  return {
    add(caller, snapshotId, turn) {
      const at = key(caller, snapshotId);
      turns.set(at, turn);
      return () => {
        if (turns.get(at) === turn) turns.delete(at);
      };
    },
    find: (caller, snapshotId) => turns.get(key(caller, snapshotId)),
    get size() {
      return turns.size;
    },
  };
}
