import type { StoredEvent } from "@agents/schema/port";
import { createMemoryStore } from "@agents/store-memory";
import { createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { openEventFeed } from "./event-feed.ts";
import { createLiveTurns } from "./live-turns.ts";
import type { TurnLog } from "./turn-log.ts";

const CALLER = { scope: "" };

const event = (seq: number, epoch = 1): StoredEvent => ({ seq, epoch, json: "{}" });
const seqs = (events: readonly StoredEvent[] | undefined) => events?.map(({ seq }) => seq);

/** A feed of a turn that this process works on, whose log has these events that are not stored. */
async function open(unstored: readonly StoredEvent[] = []) {
  const clock = createManualClock();
  const live = createLiveTurns();
  const listeners = new Set<(event: StoredEvent) => void>();
  const log: Pick<TurnLog, "listen"> = {
    listen(listener) {
      listeners.add(listener);
      return { unstored, stop: () => void listeners.delete(listener) };
    },
  };
  live.add(CALLER, "turn", { log: log as TurnLog, abort() {} });
  const feed = await openEventFeed({ store: createMemoryStore({ clock }), clock, pollMs: 1_000, live }, CALLER, "turn");
  const add = (...events: StoredEvent[]): void => {
    for (const one of events) for (const listener of listeners) listener(one);
  };
  return { clock, feed, add, listeners };
}

describe("an event feed", () => {
  it("gives what follows a position: what was not stored when it opened, and what was added since", async () => {
    const { feed, add } = await open([event(2), event(3)]);
    add(event(4));
    expect(seqs(feed.take({ epoch: 1, seq: 1 }))).toEqual([2, 3, 4]);
    expect(feed.take({ epoch: 1, seq: 4 })).toBeUndefined();
  });

  it("leaves out what its reader has already", async () => {
    const { feed } = await open([event(2), event(3)]);
    expect(seqs(feed.take({ epoch: 1, seq: 2 }))).toEqual([3]);
  });

  it("gives nothing after a gap until the store has filled it, and has forgotten nothing then", async () => {
    const { feed } = await open([event(5), event(6)]);
    expect(feed.take({ epoch: 1, seq: 1 })).toBeUndefined();
    expect(seqs(feed.take({ epoch: 1, seq: 4 }))).toEqual([5, 6]);
  });

  it("gives nothing to a reader of an earlier worker, whose events may never have been stored", async () => {
    const { feed } = await open([event(5, 2), event(6, 2)]);
    expect(feed.take({ epoch: 1, seq: 4 })).toBeUndefined();
    expect(seqs(feed.take({ epoch: 2, seq: 4 }))).toEqual([5, 6]);
  });

  it("keeps at most 1,024 events for a slow reader, who then reads the store", async () => {
    const { feed, add } = await open();
    for (let seq = 2; seq <= 1_026; seq++) add(event(seq));
    expect(feed.take({ epoch: 1, seq: 1 })).toBeUndefined();
    add(event(1_027), event(1_028));
    expect(seqs(feed.take({ epoch: 1, seq: 1_026 }))).toEqual([1_027, 1_028]);
  });

  it("wakes its reader when there is more, and polls where nothing tells it", async () => {
    const { feed, add, clock } = await open();
    const woken: string[] = [];
    const first = feed.more({ epoch: 1, seq: 1 }).then(() => woken.push("added"));
    await clock.advance(0);
    expect(woken).toEqual([]);
    add(event(2));
    await first;
    expect(seqs(feed.take({ epoch: 1, seq: 1 }))).toEqual([2]);
    const second = feed.more({ epoch: 1, seq: 2 }).then(() => woken.push("polled"));
    await clock.advance(1_000);
    await second;
    expect(woken).toEqual(["added", "polled"]);
  });

  it("listens to nothing any more when it is stopped", async () => {
    const { feed, listeners, clock } = await open();
    feed.stop();
    expect(listeners.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });
});
