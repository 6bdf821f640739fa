import { collect, collectUntil } from "@agents/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkBuffer } from "./chunk-buffer.ts";

function open(capacity = 3) {
  let left = 0;
  const buffer = new ChunkBuffer<number>({ capacity, onDemand: () => {}, onLeave: () => left++ });
  const push = (...values: number[]): void => {
    for (const value of values) buffer.push(value);
  };
  return { buffer, push, left: () => left };
}

describe("a buffer between a source and its reader", () => {
  it("wants values while a reader is there and has room, or while it is drained", () => {
    const { buffer, push } = open();
    expect(buffer.wanted).toBe(false);
    const reader = buffer.values();
    void reader.next();
    push(1, 2, 3);
    expect(buffer.wanted).toBe(true);
    push(4);
    expect(buffer.wanted).toBe(false);
    buffer.drain();
    expect(buffer.wanted).toBe(false);
    void reader.return?.();
    expect(buffer.wanted).toBe(true);
    buffer.finish({ type: "end" });
    expect(buffer.wanted).toBe(false);
  });

  it("keeps everything for a reader who is slow, also while it is drained", async () => {
    const { buffer, push } = open();
    const reader = buffer.values();
    const first = reader.next();
    buffer.drain();
    push(1, 2, 3, 4);
    buffer.finish({ type: "end" });
    expect((await first).value).toBe(1);
    expect(await collect({ [Symbol.asyncIterator]: () => reader })).toEqual([2, 3, 4]);
  });

  it("drained, keeps as many as fit for whoever comes later, and no more", async () => {
    const { buffer, push } = open();
    buffer.drain();
    push(1, 2, 3, 4);
    buffer.finish({ type: "end" });
    expect(await collect(buffer.values())).toEqual([4]);
  });

  it("can be left and re-entered, and says when the last reader left before the end", async () => {
    const { buffer, push, left } = open();
    push(1, 2, 3);
    expect(await collectUntil(buffer.values(), (value) => value === 1)).toEqual([1]);
    expect(left()).toBe(1);
    expect(await collect(buffer.values((value) => value === 2))).toEqual([2]);
    buffer.finish({ type: "end" });
    expect(await collect(buffer.values())).toEqual([3]);
    expect(left()).toBe(2);
  });

  it("gives a value that a left reader waited for to the next one", async () => {
    const { buffer, push } = open();
    const reader = buffer.values();
    const waiting = reader.next();
    await reader.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    push(1);
    expect(await buffer.values().next()).toEqual({ value: 1, done: false });
  });

  it("ends for every reader with what it failed with, after what was kept", async () => {
    const { buffer, push } = open();
    push(1);
    buffer.finish({ type: "error", error: new Error("broke") });
    const reader = buffer.values();
    expect(await reader.next()).toEqual({ value: 1, done: false });
    await expect(reader.next()).rejects.toThrow("broke");
    expect(await reader.next()).toEqual({ value: undefined, done: true });
    await expect(buffer.values().next()).rejects.toThrow("broke");
  });

  it("released, drops what comes and still gives what was kept", async () => {
    const { buffer, push } = open();
    push(1);
    buffer.release();
    push(2);
    expect(buffer.wanted).toBe(true);
    buffer.finish({ type: "end" });
    expect(await collect(buffer.values())).toEqual([1]);
  });

  it("gives every value once and in order, whatever the turns of pushing, reading and leaving", async () => {
    const step = fc.constantFrom("push", "read", "leave");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { buffer } = open();
        let reader = buffer.values();
        let pushed = 0;
        const reads: Promise<IteratorResult<number, undefined>>[] = [];
        for (const now of steps) {
          if (now === "push") buffer.push(pushed++);
          if (now === "read") reads.push(reader.next());
          // Whoever would have to wait leaves instead: what it waited for must not be lost.
          if (now === "leave" || (now === "read" && !(await settles(reads.at(-1))))) {
            await reader.return?.();
            reader = buffer.values();
          }
        }
        buffer.finish({ type: "end" });
        const rest = await collect(buffer.values());
        const read = (await Promise.all(reads)).flatMap(({ value }) => (value === undefined ? [] : [value]));
        expect([...read, ...rest]).toEqual(Array.from({ length: pushed }, (_, index) => index));
      }),
    );
  });
});

/** Whether a promise settles without anything else happening. */
async function settles(promise: Promise<unknown> | undefined): Promise<boolean> {
  let done = false;
  void promise?.then(() => {
    done = true;
  });
  for (let turn = 0; turn < 10; turn++) await undefined;
  return done;
}
