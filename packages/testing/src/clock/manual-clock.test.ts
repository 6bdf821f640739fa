import { describe, expect, it } from "vitest";
import { createManualClock } from "./manual-clock.ts";

describe("createManualClock", () => {
  it("stands still until it is advanced", async () => {
    const clock = createManualClock({ now: 1_000 });
    expect(clock.now()).toBe(1_000);
    await clock.advance(250);
    expect(clock.now()).toBe(1_250);
  });

  it("runs due timers in the order of their time, then of their making, each at its own time", async () => {
    const clock = createManualClock({ now: 0 });
    const ran: string[] = [];
    clock.setTimer(20, () => ran.push(`b at ${clock.now()}`));
    clock.setTimer(10, () => ran.push(`a at ${clock.now()}`));
    clock.setTimer(20, () => ran.push(`c at ${clock.now()}`));
    clock.setTimer(31, () => ran.push("too early"));
    await clock.advance(30);
    expect(ran).toEqual(["a at 10", "b at 20", "c at 20"]);
    expect([clock.now(), clock.pendingTimers]).toEqual([30, 1]);
  });

  it("runs timers that were set meanwhile, also after promises have settled", async () => {
    const clock = createManualClock({ now: 0 });
    const ran: number[] = [];
    const beat = async (): Promise<void> => {
      await Promise.resolve();
      ran.push(clock.now());
      clock.setTimer(10, () => void beat());
    };
    clock.setTimer(10, () => void beat());
    await clock.advance(35);
    expect(ran).toEqual([10, 20, 30]);
  });

  it("sees the timer of work that was started just before", async () => {
    const clock = createManualClock({ now: 0 });
    let done = false;
    const work = async (): Promise<void> => {
      await Promise.resolve();
      await new Promise<void>((resolve) => clock.setTimer(5, resolve));
      done = true;
    };
    const working = work();
    await clock.advance(5);
    expect(done).toBe(true);
    await working;
  });

  it("does not run a cancelled timer, and counts those that are pending", async () => {
    const clock = createManualClock();
    const cancel = clock.setTimer(10, () => expect.fail("was cancelled"));
    clock.setTimer(10, () => {});
    expect(clock.pendingTimers).toBe(2);
    cancel();
    cancel();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(10);
    expect(clock.pendingTimers).toBe(0);
  });

  it("refuses to go back", async () => {
    await expect(createManualClock().advance(-1)).rejects.toThrow("advance(-1)");
    await expect(createManualClock().advance(Number.NaN)).rejects.toThrow("advance(NaN)");
  });
});
