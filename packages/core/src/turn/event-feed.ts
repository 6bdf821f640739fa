import type { Caller, StoredEvent } from "@agents/schema/port";
import type { Position } from "@agents/schema/route";
import { type Lookout, openLookout } from "./lookout.ts";
import type { TurnDesk } from "./turn-desk.ts";
import type { Listening, TurnLog } from "./turn-log.ts";

/** Events of a live turn as its worker adds them, for a follower in the same process. */
export interface EventFeed {
  /**
   * Events that follow the position without a gap, and forgets them; undefined when the store has to be asked: the worker
   * is not here, has ended, has taken the turn over from the one that the position is of, or the follower fell behind.
   */
  take(position: Position): readonly StoredEvent[] | undefined;
  /** Resolves when there may be more after the position, here or in the store. */
  more(position: Position, signal?: AbortSignal): Promise<void>;
  stop(): void;
}

/** Most events kept for a follower. One that is slower reads from the store instead: memory does not grow with it. */
const MOST_KEPT = 1_024;

export async function openEventFeed(
  desk: Pick<TurnDesk, "store" | "clock" | "pollMs" | "live">,
  caller: Caller,
  snapshotId: string,
): Promise<EventFeed> {
  const { store, clock, pollMs, live } = desk;
  const lookout: Lookout = await openLookout({ store, caller, snapshotId, clock, pollMs });
  const log: TurnLog | undefined = live.find(caller, snapshotId)?.log;
  let kept: StoredEvent[] = [];
  let behind = false;

  const listening: Listening | undefined = log?.listen((event) => {
    if (kept.length >= MOST_KEPT) {
      kept = [];
      behind = true;
    }
    // Events after a gap are of no use until the store was read up to here; the next take finds out.
    if (!behind) kept.push(event);
    lookout.wake();
  });
  if (listening !== undefined) kept = [...listening.unstored];

  return {
    take(position) {
      behind = false;
      const fresh = kept.filter(({ seq }) => seq > position.seq);
      // What does not follow is kept for the next look: what lies between is in the store.
      const follow = follows(fresh[0], position);
      kept = follow ? [] : fresh;
      return follow ? fresh : undefined;
    },
    more(position, signal) {
      // Events after a gap do not help: those before them are about to be stored, and a hint will say so.
      if (follows(kept[0], position)) return Promise.resolve();
      return lookout.again({ signal });
    },
    stop() {
      listening?.stop();
      lookout.stop();
    },
  };
}

/** Of the same epoch: a reader may be ahead of what the worker before this one has stored. */
function follows(event: StoredEvent | undefined, { epoch, seq }: Position): boolean {
  return event !== undefined && event.epoch === epoch && event.seq === seq + 1;
}
