import { describe, expect, it } from "vitest";
import { CustomTracker } from "./custom-tracker.ts";

const replaced = (path: string, value: unknown) => ({ customPatch: [{ op: "replace" as const, path, value }] });

describe("custom state from patches", () => {
  it("is what they make of it, and is never changed in place", () => {
    const start = { n: 1 };
    const tracker = new CustomTracker<{ n: number }>(start);
    tracker.see(replaced("/n", 2));
    tracker.see({ status: "no patch" });
    expect([tracker.value, tracker.stale, start]).toEqual([{ n: 2 }, false, { n: 1 }]);
  });

  it("stays at the last right value after a gap, until the whole document or a snapshot comes", () => {
    const tracker = new CustomTracker<object>({ n: 1 });
    tracker.see(replaced("/missing/n", 2));
    tracker.see(replaced("/n", 3));
    expect([tracker.value, tracker.stale]).toEqual([{ n: 1 }, true]);
    tracker.see(replaced("", { m: 1 }));
    expect([tracker.value, tracker.stale]).toEqual([{ m: 1 }, false]);
    tracker.see(replaced("/missing/n", 2));
    tracker.rebase({ n: 9 });
    tracker.see(replaced("/n", 10));
    expect([tracker.value, tracker.stale]).toEqual([{ n: 10 }, false]);
  });
});
