import { describe, expect, it } from "vitest";
import { collect, collectUntil } from "./collect.ts";

describe("collect", () => {
  it("gives everything, in order", async () => {
    expect(await collect(numbers(3))).toEqual([1, 2, 3]);
  });

  it("rejects when the stream fails", async () => {
    const failing = (async function* () {
      yield 1;
      throw new Error("cut");
    })();
    await expect(collect(failing)).rejects.toThrow("cut");
  });
});

describe("collectUntil", () => {
  it("stops after the first item that is the last, and leaves the stream", async () => {
    let left = false;
    const stream = (async function* () {
      try {
        yield* numbers(5);
      } finally {
        left = true;
      }
    })();
    expect(await collectUntil(stream, (number) => number === 2)).toEqual([1, 2]);
    expect(left).toBe(true);
  });

  it("rejects when the stream ends before", async () => {
    await expect(collectUntil(numbers(2), (number) => number === 9)).rejects.toThrow("ended after 2 items");
  });
});

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 1; number <= count; number++) yield number;
}
