import { setImmediate } from "node:timers/promises";
import { AgentError } from "@agents/schema/error";
import type { Caller, Clock, Fenced, Lease, TurnMeta } from "@agents/schema/port";
import { createManualClock } from "@agents/testing";
import { describe, expect, it, vi } from "vitest";
import { createLeaseKeeper } from "./lease-keeper.ts";

const lease = (id: string): Lease => ({ snapshotId: id, sessionId: "s", epoch: 1 });
const live = (status: TurnMeta["status"] = "pending"): Fenced => ({ ok: true, turn: { status } as TurnMeta });

function open(answer: (id: string) => Fenced = () => live()) {
  const clock = createManualClock();
  const calls: string[][] = [];
  let away = false;
  let deaf = false;
  const keeper = createLeaseKeeper({
    clock,
    heartbeatMs: 20_000,
    expiryMs: 60_000,
    turns: {
      async heartbeat(leases) {
        calls.push(leases.map(({ caller, lease: { snapshotId } }) => `${caller.scope}/${snapshotId}`));
        if (away) throw new AgentError("UNAVAILABLE", "away");
        if (deaf) await new Promise(() => {});
        return leases.map(({ lease: { snapshotId } }) => answer(snapshotId));
      },
    },
  });
  const heard: string[] = [];
  const hold = (id: string, caller: Caller = { scope: "" }) =>
    keeper.hold(caller, lease(id), {
      onAbort: () => heard.push(`abort ${id}`),
      onLost: () => heard.push(`lost ${id}`),
    });
  const setAway = (value: boolean) => {
    away = value;
  };
  const setDeaf = (value: boolean) => {
    deaf = value;
  };
  return { clock, calls, keeper, heard, hold, setAway, setDeaf };
}

describe("the lease keeper", () => {
  it("renews all leases of a process in one call, each for its own caller", async () => {
    const { hold, clock, calls } = open();
    hold("a");
    hold("b", { scope: "other", owner: "me" });
    await clock.advance(20_000);
    expect(calls).toEqual([["/a", "other/b"]]);
    await clock.advance(20_000);
    expect(calls).toHaveLength(2);
  });

  it("asks nothing and stops its timer when there is nothing to renew", async () => {
    const { hold, clock, calls } = open();
    expect(clock.pendingTimers).toBe(0);
    hold("a").release();
    hold("b").release();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(20_000);
    expect(calls).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
    hold("c");
    await clock.advance(20_000);
    expect(calls).toEqual([["/c"]]);
  });

  it("says that an abort was requested", async () => {
    const { hold, clock, heard } = open(() => live("aborting"));
    hold("a");
    await clock.advance(20_000);
    expect(heard).toEqual(["abort a"]);
  });

  it("says once that a turn was taken over, and renews the others", async () => {
    const { hold, clock, heard, calls } = open((id) => (id === "a" ? { ok: false } : live()));
    hold("a");
    hold("b");
    await clock.advance(40_000);
    expect(heard).toEqual(["lost a"]);
    expect(calls.at(-1)).toEqual(["/b"]);
  });

  it("gives a turn up when the store is away for as long as the lease lasts, and not before", async () => {
    const { hold, clock, heard, setAway } = open();
    hold("a");
    setAway(true);
    await clock.advance(59_999);
    expect(heard).toEqual([]);
    await clock.advance(1);
    expect(heard).toEqual(["lost a"]);
  });

  it("gives a turn up when its own lease ends, between two heartbeats too", async () => {
    const { hold, clock, heard, setAway } = open();
    const held = hold("a");
    await clock.advance(5_000);
    held.renewed();
    setAway(true);
    await clock.advance(59_999);
    expect(heard).toEqual([]);
    await clock.advance(1);
    expect(heard).toEqual(["lost a"]);
  });

  it("forgives a store that comes back in time, and counts appends as renewals", async () => {
    const { hold, clock, heard, setAway } = open();
    const held = hold("a");
    setAway(true);
    await clock.advance(40_000);
    held.renewed();
    await clock.advance(40_000);
    setAway(false);
    await clock.advance(200_000);
    expect(heard).toEqual([]);
  });

  it("gives a turn up at its lease's end when heartbeats are never answered, and not before", async () => {
    const { hold, clock, heard, calls, setDeaf } = open();
    hold("a");
    await clock.advance(20_000);
    setDeaf(true);
    await clock.advance(59_999);
    expect(heard).toEqual([]);
    expect(calls).toHaveLength(3);
    await clock.advance(1);
    expect(heard).toEqual(["lost a"]);
    await clock.advance(20_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it("does not wait for a heartbeat that is never answered: the next one renews", async () => {
    const { hold, clock, heard, calls, setDeaf } = open();
    hold("a");
    setDeaf(true);
    await clock.advance(20_000);
    setDeaf(false);
    await clock.advance(200_000);
    expect(heard).toEqual([]);
    expect(calls).toHaveLength(11);
  });

  it("asks first when the process was stopped for longer than the lease lasts: nobody may have taken its turns", async () => {
    let now = 0;
    const timers: (() => void)[] = [];
    const setTimer: Clock["setTimer"] = (_, run) => {
      timers.push(run);
      return () => {};
    };
    const clock: Clock = { now: () => now, setTimer };
    const answers: ((answer: readonly Fenced[]) => void)[] = [];
    const heartbeat = () => new Promise<readonly Fenced[]>((resolve) => answers.push(resolve));
    const keeper = createLeaseKeeper({ clock, heartbeatMs: 20_000, expiryMs: 60_000, turns: { heartbeat } });
    const onLost = vi.fn();
    keeper.hold({ scope: "" }, lease("a"), { onAbort: () => {}, onLost });
    now = 500_000;
    timers.shift()?.();
    now += 100;
    answers.shift()?.([live()]);
    await setImmediate();
    now += 19_900;
    timers.shift()?.();
    expect(onLost).not.toHaveBeenCalled();
    expect(keeper.size).toBe(1);
  });

  it("takes an answer that is none for a failed call", async () => {
    const { hold, clock, heard } = open(() => undefined as never);
    hold("a");
    await clock.advance(20_000);
    expect(heard).toEqual(["lost a"]);
    const clockOnly = createManualClock();
    const keeper = createLeaseKeeper({
      clock: clockOnly,
      heartbeatMs: 20_000,
      expiryMs: 60_000,
      turns: { heartbeat: async () => undefined as never },
    });
    const onLost = vi.fn();
    keeper.hold({ scope: "" }, lease("a"), { onAbort: () => {}, onLost });
    await clockOnly.advance(60_000);
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  it("tells nothing to a holder that has let go", async () => {
    const { hold, clock, heard, keeper } = open(() => ({ ok: false }));
    const held = hold("a");
    const ticking = clock.advance(20_000);
    held.release();
    await ticking;
    expect(heard).toEqual([]);
    expect(keeper.size).toBe(0);
  });
});
