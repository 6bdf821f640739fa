import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";

describe("systemClock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("tells the milliseconds since 1970", () => {
    expect(systemClock.now()).toBe(1_000);
    vi.advanceTimersByTime(5);
    expect(systemClock.now()).toBe(1_005);
  });

  it("calls back once, after the time asked for", () => {
    const callback = vi.fn();
    systemClock.setTimer(20, callback);
    vi.advanceTimersByTime(19);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it("does not call back after cancelling, and cancelling twice does no harm", () => {
    const callback = vi.fn();
    const cancel = systemClock.setTimer(20, callback);
    cancel();
    cancel();
    vi.advanceTimersByTime(100);
    expect(callback).not.toHaveBeenCalled();
  });

  it("waits longer than setTimeout can, and can be cancelled at any time of it", () => {
    const days = 24 * 3_600_000;
    const [kept, cancelled] = [vi.fn(), vi.fn()];
    systemClock.setTimer(60 * days, kept);
    const cancel = systemClock.setTimer(60 * days, cancelled);
    vi.advanceTimersByTime(59 * days);
    expect(kept).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(2 * days);
    expect(kept).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });

  it("does not keep the process alive", () => {
    vi.useRealTimers();
    const timers: NodeJS.Timeout[] = [];
    const original = globalThis.setTimeout;
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
      const timer = original(run, ms);
      timers.push(timer);
      return timer;
    }) as never);
    const cancel = systemClock.setTimer(60_000, () => {});
    expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
    cancel();
    spy.mockRestore();
  });
});

describe("systemIds", () => {
  it("makes UUIDs that differ", () => {
    const ids = Array.from({ length: 100 }, () => systemIds.uuid());
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
