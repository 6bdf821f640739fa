import { describe, expect, it } from "vitest";
import { type Compared, compare, formatReport, isWithin } from "./index.ts";

function spin(times: number): number {
  let sum = 0;
  for (let i = 0; i < times; i++) sum += Math.sqrt(i);
  return sum;
}

describe("compare", () => {
  it("finds work of fifty times the size far more expensive, awaited or not", async () => {
    const options = { rounds: 5, roundMs: 2 };
    const sync = await compare(
      { name: "a", ours: () => spin(50_000), baseline: () => spin(1_000), atMost: 5 },
      options,
    );
    const later = await compare(
      { name: "b", ours: async () => spin(50_000), baseline: async () => spin(1_000), atMost: 5 },
      options,
    );
    expect(isWithin(sync)).toBe(false);
    expect(isWithin(later)).toBe(false);
  });
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

  it("says what is over its budget", () => {
    expect(formatReport([{ ...result, atMost: 1.5 }])).toContain("OVER");
  });
});
