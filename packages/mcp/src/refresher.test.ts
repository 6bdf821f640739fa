import { describe, expect, it } from "vitest";
import { createRefresher } from "./refresher.ts";

/** Reads that end when the test says so. */
function openReads() {
  const reads: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const refresh = createRefresher(() => new Promise<void>((resolve, reject) => reads.push({ resolve, reject })));
  return { reads, refresh };
}

describe("reading a list again", () => {
  it("happens once more for all who ask while a read is under way, and never twice at a time", async () => {
    const { reads, refresh } = openReads();
    const first = refresh();
    const others = [refresh(), refresh()];
    expect(reads).toHaveLength(1);
    reads[0]?.resolve();
    await first;
    // What the others wait for has begun, and is one read.
    await Promise.resolve().then(() => {});
    expect(reads).toHaveLength(2);
    reads[1]?.resolve();
    await Promise.all(others);
    expect(reads).toHaveLength(2);
  });

  it("happens also after a read that failed, which fails only those who asked for it", async () => {
    const { reads, refresh } = openReads();
    const first = refresh();
    const second = refresh();
    reads[0]?.reject(new Error("away"));
    await expect(first).rejects.toThrow("away");
    await Promise.resolve().then(() => {});
    reads[1]?.resolve();
    await second;
  });
});
