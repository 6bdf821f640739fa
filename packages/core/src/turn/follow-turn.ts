import { AgentError } from "@agents/schema/error";
import type { Caller, EventLog, PositionedChunk, Restarted, StoredEvent, TurnMeta } from "@agents/schema/port";
import { formatPosition, type Position } from "@agents/schema/route";
import type { TurnEvent } from "@agents/schema/wire";
import { chunkOfEvent, readEvent } from "./chunk-event.ts";
import { type EventFeed, openEventFeed } from "./event-feed.ts";
import { readStatus } from "./summarize-turn.ts";
import type { TurnDesk } from "./turn-desk.ts";

export interface FollowTurnOptions {
  readonly snapshotId: string;
  readonly after: Position;
  readonly signal?: AbortSignal;
}

type FollowDesk = Pick<TurnDesk, "store" | "clock" | "pollMs" | "live">;

/** Events read from the store at a time. */
const PAGE = 512;

/**
 * What a client saw of a turn after a position, then what it sees from now on, to the turn's end: no gap, no repeat. A
 * turn of this process is heard at once, another's as its batches are stored. Throws NOT_FOUND for an unknown turn, and
 * UNAVAILABLE when the turn's worker is gone: it reads as expired, and nobody will end it unless it is aborted or retried.
 */
export async function* followTurn(
  desk: FollowDesk,
  caller: Caller,
  options: FollowTurnOptions,
): AsyncGenerator<PositionedChunk | Restarted, void> {
  const { snapshotId, signal } = options;
  let position = options.after;
  const feed = await openEventFeed(desk, caller, snapshotId);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { events, turn } = await nextEvents(desk, caller, { feed, position, snapshotId });
      for (const stored of events) {
        position = stored;
        const event = readEvent(snapshotId, stored);
        const shown = show(event, formatPosition(stored));
        if (shown !== undefined) yield shown;
        if (TERMINAL.has(event.type)) return;
      }
      if (turn !== undefined && events.length < PAGE) {
        const end = endOf(turn);
        if (end !== undefined) {
          yield* end;
          return;
        }
        if (events.length === 0) await feed.more(position, signal);
      }
    }
  } finally {
    feed.stop();
  }
}

/** From the worker in this process while it speaks without a gap, else from the store. */
async function nextEvents(
  { store }: FollowDesk,
  caller: Caller,
  { feed, position, snapshotId }: { feed: EventFeed; position: Position; snapshotId: string },
): Promise<{ events: readonly StoredEvent[]; turn?: TurnMeta }> {
  const heard = feed.take(position);
  if (heard !== undefined) return { events: heard };
  const page = await (store.events as EventLog).readEvents(caller, snapshotId, { after: position, limit: PAGE });
  if (page === undefined) {
    throw new AgentError("NOT_FOUND", `Turn ${snapshotId} is not there.`, { details: { snapshotId } });
  }
  return page;
}

function show(event: TurnEvent, position: string): PositionedChunk | Restarted | undefined {
  if (event.type === "turn.restarted") return { restarted: true, position };
  const chunk = chunkOfEvent(event);
  return chunk && { chunk, position };
}

const TERMINAL: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.canceled"]);

/** How following ends where the log does not say it; undefined while the turn goes on. */
function endOf(turn: TurnMeta): readonly PositionedChunk[] | undefined {
  switch (readStatus(turn)) {
    case "pending":
    case "aborting":
      return undefined;
    case "expired":
      throw new AgentError(
        "UNAVAILABLE",
        `Turn ${turn.snapshotId} has expired: its worker has not been heard of. Abort it, retry it, or send to its session again.`,
        { details: { snapshotId: turn.snapshotId, status: "expired" } },
      );
    case "aborted":
      // A row that was aborting when its worker fell silent has no last event.
      return turn.stale ? [{ chunk: { turnEnd: { finishReason: "aborted" } } }] : [];
    case "completed":
    case "failed":
      return [];
  }
}
