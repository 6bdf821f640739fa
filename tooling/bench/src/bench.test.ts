import { describe, expect, it } from "vitest";
import { type Compared, compare, compareFigures, formatReport, isWithin } from "./index.ts";

/** Time that passes only by work: each call takes as long as it says. */
function createWork() {
  let time = 0;
  return {
    now: () => time,
    taking: (ms: number) => () => {
      time += ms;
    },
    later: (ms: number) => async () => {
      await undefined;
      time += ms;
    },
  };
}

describe("compare", () => {
  it.each(["taking", "later"] as const)(
    "finds how much longer ours takes, per call, with work that is %s",
    async (kind) => {
      const work = createWork();
      const comparison = { name: "a", ours: work[kind](3), baseline: work[kind](2), atMost: 1.4 };
      const result = await compare(comparison, { rounds: 3, roundMs: 30, now: work.now });
      expect(result).toMatchObject({ ours: 3_000, baseline: 2_000, ratio: 1.5 });
      expect(isWithin(result)).toBe(false);
      expect(isWithin({ ...result, atMost: 1.5 })).toBe(true);
    },
  );
});

describe("the report", () => {
  const result: Compared = { name: "x", ours: 2, baseline: 1, ratio: 2, atMost: 3 };

  it("shows times, or rates where a call does many things", () => {
    expect(formatReport([result, { ...result, work: { count: 4, unit: "chunks" }, note: "4 B" }])).toBe(
      [
        "   ours             baseline         ratio  budget      produced",
        "x  2.00 µs          1.00 µs          2.00   <= 3    ok",
        "x  2.00 M chunks/s  4.00 M chunks/s  2.00   <= 3    ok  4 B",
      ].join("\n"),
    );
  });

  it("shows bytes where bytes were counted", () => {
    const bytes = compareFigures({ name: "x", ours: 3_000, baseline: 1_000, atMost: 2, unit: "bytes" });
    expect(formatReport([bytes])).toContain("x  3 kB  1 kB      3.00   <= 2    OVER");
  });

  it("says what is over its budget", () => {
    expect(formatReport([{ ...result, atMost: 1.5 }])).toContain("OVER");
  });
});
