import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";

describe("backoffMs", () => {
  it("doubles from the first wait to the longest, and takes half of it by chance", () => {
    const backoff = { baseMs: 250, maxMs: 10_000 };
    const longest = [1, 2, 3, 6, 7, 100_000].map((failures) => backoffMs(backoff, failures, () => 1));
    expect(longest).toEqual([250, 500, 1_000, 8_000, 10_000, 10_000]);
    expect(backoffMs(backoff, 1, () => 0)).toBe(125);
  });

  it("never is longer than the longest, shorter than half of the first, or no number", () => {
    const millis = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(
        millis,
        millis,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (baseMs, maxMs, failures, chance) => {
          const ms = backoffMs({ baseMs, maxMs }, failures, () => chance);
          expect(ms).toBeLessThanOrEqual(maxMs);
          expect(ms).toBeGreaterThanOrEqual(Math.min(baseMs, maxMs) / 2);
        },
      ),
    );
  });
});
