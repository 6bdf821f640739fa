import { AgentError } from "@agents/schema/error";
import { createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { untilAnswered } from "./until-answered.ts";

const away = () => Promise.reject(new AgentError("UNAVAILABLE", "away"));
const never = () => new Promise<never>(() => {});

/** A store that does so with each call, and then answers. */
function open(...before: (() => Promise<never>)[]) {
  const clock = createManualClock();
  let calls = 0;
  const call = () => (before[calls++] ?? (async () => "answer"))();
  return { clock, call, calls: () => calls };
}

describe("a call that is repeated until it is answered", () => {
  it("is asked again, with growing pauses, when its answer was lost", async () => {
    const { clock, call, calls } = open(away, away, away);
    const answer = untilAnswered(call, { clock, forMs: 60_000 });
    await clock.advance(50);
    expect(calls()).toBe(2);
    await clock.advance(50);
    expect(calls()).toBe(2);
    await clock.advance(250);
    expect(calls()).toBe(4);
    expect(await answer).toBe("answer");
  });

  it("fails at once with any other error", async () => {
    const { clock, call, calls } = open(() => Promise.reject(new AgentError("DATA_LOSS", "torn")));
    await expect(untilAnswered(call, { clock, forMs: 60_000 })).rejects.toMatchObject({ status: "DATA_LOSS" });
    expect(calls()).toBe(1);
  });

  it("fails with the last error when time is up", async () => {
    const { clock, call } = open(...Array.from({ length: 100 }, () => away));
    const answer = untilAnswered(call, { clock, forMs: 60_000 });
    const failed = expect(answer).rejects.toMatchObject({ status: "UNAVAILABLE", message: "away" });
    await clock.advance(60_000);
    await failed;
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ["the first", [never]],
    ["a later one", [away, never]],
  ])("fails when time is up and %s was never answered", async (_which, before) => {
    const { clock, call } = open(...before);
    let failure: unknown;
    untilAnswered(call, { clock, forMs: 60_000 }).catch((error: unknown) => {
      failure = error;
    });
    await clock.advance(59_999);
    expect(failure).toBeUndefined();
    await clock.advance(1);
    expect(failure).toMatchObject({ status: "UNAVAILABLE", message: expect.stringContaining("has not answered for") });
    await clock.advance(60_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it("has one timer with all others, whatever their limits, and none when nothing is open for long", async () => {
    const { clock } = open();
    const failures: number[] = [];
    for (const forMs of [3_000, 1_000, 2_000]) untilAnswered(never, { clock, forMs }).catch(() => failures.push(forMs));
    for (let n = 0; n < 100; n++) await untilAnswered(async () => n, { clock, forMs: 5_000 });
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(3_000);
    expect(failures).toEqual([1_000, 2_000, 3_000]);
    await clock.advance(5_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends a pause when its signal is aborted", async () => {
    const { clock, call } = open(away);
    const controller = new AbortController();
    const answer = untilAnswered(call, { clock, forMs: 60_000, signal: () => controller.signal });
    const failed = expect(answer).rejects.toThrow("enough");
    await clock.advance(10);
    controller.abort(new Error("enough"));
    await failed;
  });
});
