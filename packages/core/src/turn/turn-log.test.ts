import { AgentError } from "@agents/schema/error";
import type { AppendRequest, EventLog, Fenced, TurnMeta } from "@agents/schema/port";
import type { TurnEvent } from "@agents/schema/wire";
import { createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createTurnLog, type TurnLogOptions } from "./turn-log.ts";

const lease = { snapshotId: "0123abcd.t", sessionId: "s", epoch: 2 };
const turn = { status: "pending" } as TurnMeta;

/** A log as a store keeps it: refuses a gap, knows a repeated batch again. */
function createStoredLog() {
  const stored: string[] = [];
  let fault: "none" | "lose the request" | "lose the answer" | "refuse" = "none";
  const events: Pick<EventLog, "append"> = {
    async append(_caller, _lease, { batch }: AppendRequest): Promise<Fenced> {
      const now = fault;
      fault = now === "refuse" ? now : "none";
      if (now === "refuse") return { ok: false, turn };
      if (now === "lose the request") throw new AgentError("UNAVAILABLE", "away");
      const repeated = batch.firstSeq + batch.events.length - 1 === stored.length && batch.firstSeq <= stored.length;
      if (!repeated && batch.firstSeq !== stored.length + 1) return { ok: false, turn };
      if (!repeated) stored.push(...batch.events);
      if (now === "lose the answer") throw new AgentError("UNAVAILABLE", "away");
      return { ok: true, turn };
    },
  };
  return {
    events: events as EventLog,
    seqs: () => stored.map((json) => (JSON.parse(json) as TurnEvent).seq),
    stored,
    next: (kind: typeof fault) => {
      fault = kind;
    },
  };
}

function open(options: Partial<TurnLogOptions> = {}) {
  const clock = createManualClock({ now: 0 });
  const store = createStoredLog();
  const log = createTurnLog({
    events: store.events,
    caller: { scope: "" },
    lease,
    clock,
    leaseMs: 60_000,
    lastSeq: 0,
    ...options,
  });
  return { clock, store, log };
}

describe("a turn's log", () => {
  it("numbers events from 1 without gaps, with the epoch of its writer in their positions", async () => {
    const { log, store } = open();
    expect([log.add("turn.started", { turnIndex: 0 }), log.add("custom.note", 7)]).toEqual(["2-1", "2-2"]);
    await log.flush();
    expect(store.stored.map((json) => JSON.parse(json))).toEqual([
      {
        turnId: lease.snapshotId,
        seq: 1,
        type: "turn.started",
        source: "agent",
        visibility: "public",
        createdAt: "1970-01-01T00:00:00.000Z",
        data: { turnIndex: 0 },
      },
      expect.objectContaining({ seq: 2, type: "custom.note", data: 7 }),
    ]);
  });

  it("goes on after what rode in begin", async () => {
    const { log } = open({ lastSeq: 3 });
    expect(log.add("custom.a", 1)).toBe("2-4");
  });

  it("shows each event to followers in this process at once, before it is stored", () => {
    const seen: string[] = [];
    const { log, store } = open();
    log.listen(({ epoch, seq, json }) => seen.push(`${epoch}-${seq} ${(JSON.parse(json) as TurnEvent).type}`));
    log.add("custom.a", 1);
    expect(seen).toEqual(["2-1 custom.a"]);
    expect(store.seqs()).toEqual([]);
  });

  it("stores a batch after a moment, and not an event at a time", async () => {
    const { log, store, clock } = open({ flushMs: 100 });
    log.add("custom.a", 1);
    await clock.advance(60);
    log.add("custom.b", 2);
    expect(store.seqs()).toEqual([]);
    await clock.advance(40);
    expect(store.seqs()).toEqual([1, 2]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("stores at once when enough events wait", async () => {
    const { log, store, clock } = open({ batchSize: 3 });
    for (let i = 0; i < 3; i++) log.add("custom.a", i);
    await clock.advance(0);
    expect(store.seqs()).toEqual([1, 2, 3]);
  });

  it.each(["lose the request", "lose the answer"] as const)(
    "loses and repeats nothing when the store does %s",
    async (fault) => {
      const { log, store, clock } = open();
      log.add("custom.a", 1);
      store.next(fault);
      await expect(log.flush()).rejects.toMatchObject({ status: "UNAVAILABLE" });
      log.add("custom.b", 2);
      await clock.advance(100);
      expect(store.seqs()).toEqual([1, 2]);
    },
  );

  it("tries again by itself after a failure in the background", async () => {
    const { log, store, clock } = open({ flushMs: 100 });
    store.next("lose the request");
    log.add("custom.a", 1);
    await clock.advance(100);
    expect(store.seqs()).toEqual([]);
    await clock.advance(100);
    expect(store.seqs()).toEqual([1]);
  });

  it("ends with ABORTED when the store refuses: the turn was taken over", async () => {
    const { log, store, clock } = open();
    store.next("refuse");
    log.add("custom.a", 1);
    await expect(log.flush()).rejects.toMatchObject({ status: "ABORTED" });
    await expect(log.close()).rejects.toMatchObject({ status: "ABORTED" });
    await clock.advance(1000);
    expect(clock.pendingTimers).toBe(0);
  });

  it("gives settle what is not stored yet, and takes nothing more", async () => {
    const { log, store, clock } = open();
    log.add("custom.a", 1);
    await log.flush();
    log.add("custom.b", 2);
    const closed = await log.close();
    const rest = closed.endWith("turn.completed", { turnEnd: { finishReason: "stop" } });
    expect(rest.firstSeq).toBe(2);
    expect(rest.events.map((json) => (JSON.parse(json) as TurnEvent).type)).toEqual(["custom.b", "turn.completed"]);
    expect(closed.lastPosition).toBe("2-3");
    expect(() => log.add("custom.c", 3)).toThrow("has ended");
    await clock.advance(1000);
    expect(store.seqs()).toEqual([1]);
  });

  it("makes sure of a batch whose answer was lost before settle writes after it", async () => {
    const { log, store } = open();
    log.add("custom.a", 1);
    store.next("lose the answer");
    await expect(log.flush()).rejects.toThrow();
    log.add("custom.b", 2);
    const rest = (await log.close()).endWith("turn.canceled", {});
    expect(rest).toMatchObject({ firstSeq: 2, events: [expect.stringContaining('"custom.b"'), expect.anything()] });
    expect(store.seqs()).toEqual([1]);
  });

  it("tells a listener what is not stored, then everything as it is added, the end included", async () => {
    const { log } = open();
    log.add("custom.a", 1);
    await log.flush();
    log.add("custom.b", 2);
    const heard: number[] = [];
    const { unstored, stop } = log.listen(({ seq }) => heard.push(seq));
    expect(unstored.map(({ seq }) => seq)).toEqual([2]);
    log.add("custom.c", 3);
    const closed = await log.close();
    const end = closed.endWith("turn.completed", { turnEnd: { finishReason: "stop" } });
    expect(heard).toEqual([3]);
    closed.ended(end);
    expect(heard).toEqual([3, 4]);
    stop();
  });

  it("stores what came while a full batch was being written", async () => {
    const { log, store, clock } = open({ batchSize: 2 });
    for (let i = 0; i < 5; i++) log.add("custom.a", i);
    await clock.advance(100);
    expect(store.seqs()).toEqual([1, 2, 3, 4, 5]);
  });

  it("serves any number of flushes at once with one append at a time", async () => {
    const { log, store } = open();
    for (let i = 0; i < 5; i++) log.add("custom.a", i);
    const first = log.flush();
    log.add("custom.a", 5);
    await Promise.all([first, log.flush(), log.flush()]);
    expect(store.seqs()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
