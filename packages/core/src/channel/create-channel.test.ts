import { AgentError } from "@agents/schema/error";
import { describe, expect, it } from "vitest";
import { type Channel, createChannel } from "./create-channel.ts";

const refusal = () => new AgentError("FAILED_PRECONDITION", "refused");

/** Lets everything happen that can happen without a timer. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Sends without waiting; tells which sends have returned. */
function sendAll<T>(channel: Channel<T>, values: readonly T[]): { sent: T[] } {
  const sent: T[] = [];
  for (const value of values) void channel.send(value).then(() => sent.push(value));
  return { sent };
}

async function readAll<T>(values: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const value of values) read.push(value);
  return read;
}

describe("a channel", () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses a capacity of %s", (capacity) => {
    expect(() => createChannel({ capacity })).toThrow(/capacity of a channel.*not/);
  });

  it("gives every value once, in the order it was sent", async () => {
    const channel = createChannel<number>({ capacity: 3 });
    const read = readAll(channel.values());
    for (let n = 0; n < 100; n++) await channel.send(n);
    channel.end();
    expect(await read).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  it("can carry undefined, null and promises' results alike", async () => {
    const channel = createChannel<unknown>({ capacity: 5 });
    for (const value of [undefined, null, 0, ""]) await channel.send(value);
    channel.end();
    expect(await readAll(channel.values())).toEqual([undefined, null, 0, ""]);
  });

  it("returns one shared promise while there is room", () => {
    const channel = createChannel<number>({ capacity: 2 });
    expect(channel.send(1)).toBe(channel.send(2));
  });

  it("lets senders wait while it is full, and in one of them per value read, in their order", async () => {
    const channel = createChannel<number>({ capacity: 2 });
    const { sent } = sendAll(channel, [1, 2, 3, 4, 5]);
    await settle();
    expect(sent).toEqual([1, 2]);
    const reader = channel.values();
    for (const expected of [3, 4, 5]) {
      await reader.next();
      await settle();
      expect(sent.at(-1)).toBe(expected);
      expect(sent).toHaveLength(expected);
    }
  });

  it("never holds more than its capacity of returned sends, however slow the reader", async () => {
    const capacity = 4;
    const channel = createChannel<number>({ capacity });
    let returned = 0;
    const sending = (async () => {
      for (let n = 0; n < 50; n++) {
        await channel.send(n);
        returned++;
      }
      channel.end();
    })();
    let read = 0;
    for await (const value of channel.values()) {
      expect(value).toBe(read++);
      await settle();
      expect(returned - read).toBeLessThanOrEqual(capacity);
      expect(channel.size).toBeLessThanOrEqual(capacity + 1);
    }
    await sending;
    expect(read).toBe(50);
  });

  it("takes offered values beyond the bound, and the next send waits for them", async () => {
    const channel = createChannel<number>({ capacity: 2 });
    for (const value of [1, 2, 3, 4]) channel.offer(value);
    const { sent } = sendAll(channel, [5]);
    const reader = channel.values();
    const read: unknown[] = [];
    for (let n = 0; n < 2; n++) read.push((await reader.next()).value);
    await settle();
    expect(sent).toEqual([]);
    read.push((await reader.next()).value);
    await settle();
    expect(sent).toEqual([5]);
    channel.end();
    expect([...read, ...(await readAll(reader))]).toEqual([1, 2, 3, 4, 5]);
  });

  it("drops what is sent after the end, without waiting", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    await channel.send(1);
    channel.end();
    await channel.send(2);
    channel.offer(3);
    expect(await readAll(channel.values())).toEqual([1]);
  });
});

describe("a channel's reader", () => {
  it("can leave and come back without losing a value", async () => {
    const channel = createChannel<number>({ capacity: 10 });
    for (const value of [1, 2, 3, 4]) channel.offer(value);
    for await (const value of channel.values()) if (value === 2) break;
    channel.end();
    expect(await readAll(channel.values())).toEqual([3, 4]);
  });

  it("that leaves while it waits gets the end, and the value goes to the next reader", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const first = channel.values();
    const waiting = first.next();
    await first.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    await channel.send(1);
    expect(await channel.values().next()).toEqual({ value: 1, done: false });
    expect((await first.next()).done).toBe(true);
  });

  it("is refused while another one waits", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const waiting = channel.values().next();
    await expect(channel.values().next()).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await channel.send(1);
    expect(await waiting).toEqual({ value: 1, done: false });
  });

  it("stops after the first value that its predicate holds for, whether that was buffered or awaited", async () => {
    const channel = createChannel<number>({ capacity: 10 });
    for (const value of [1, 2, 3]) channel.offer(value);
    const isEven = (value: number) => value % 2 === 0;
    expect(await readAll(channel.values(isEven))).toEqual([1, 2]);
    const awaited = readAll(channel.values(isEven));
    await settle();
    for (const value of [4, 5]) channel.offer(value);
    expect(await awaited).toEqual([3, 4]);
    channel.end();
    expect(await readAll(channel.values(isEven))).toEqual([5]);
  });

  it("gets what its predicate throws; the sender does not", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const broken = () => {
      throw new Error("broken predicate");
    };
    const waiting = channel.values(broken).next();
    await channel.send(1);
    await expect(waiting).rejects.toThrow("broken predicate");
    await channel.send(2);
    await expect(channel.values(broken).next()).rejects.toThrow("broken predicate");
    await channel.send(3);
    expect((await channel.values().next()).value).toBe(3);
  });
});

describe("the end of a channel", () => {
  it("comes after everything that was sent before, waiting senders' values included", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const { sent } = sendAll(channel, [1, 2, 3]);
    channel.end();
    expect(await readAll(channel.values())).toEqual([1, 2, 3]);
    await settle();
    expect(sent).toEqual([1, 2, 3]);
  });

  it("with a refusal, rejects waiting senders and takes back their values, but no offered ones", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    await channel.send(1);
    const waiting = [channel.send(2)];
    channel.offer(3);
    waiting.push(channel.send(4));
    channel.end();
    channel.end(refusal);
    for (const send of waiting) await expect(send).rejects.toThrow("refused");
    expect(await readAll(channel.values())).toEqual([1, 3]);
  });

  it("reaches a reader that waits", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const read = readAll(channel.values());
    await settle();
    channel.end();
    expect(await read).toEqual([]);
  });

  it("by failure gives the error after the last value, to every reader", async () => {
    const channel = createChannel<number>({ capacity: 2 });
    await channel.send(1);
    channel.fail(new Error("broken"));
    channel.end();
    const reader = channel.values();
    expect((await reader.next()).value).toBe(1);
    await expect(reader.next()).rejects.toThrow("broken");
    expect((await reader.next()).done).toBe(true);
    await expect(readAll(channel.values())).rejects.toThrow("broken");
  });

  it("by failure reaches a reader that waits, also if the error is undefined", async () => {
    const channel = createChannel<number>({ capacity: 2 });
    const waiting = channel.values().next();
    channel.fail(undefined);
    await expect(waiting).rejects.toBeUndefined();
  });

  it("by abort discards what is unread, even after the end, and lets the senders go", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const { sent } = sendAll(channel, [1, 2]);
    channel.end();
    channel.abort(new Error("stopped"));
    await expect(readAll(channel.values())).rejects.toThrow("stopped");
    expect(sent).toEqual([1, 2]);
    expect(channel.size).toBe(0);
  });
});

describe("aborting with a refusal", () => {
  it("gives a waiting reader the error, not the end", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const waiting = channel.values().next();
    channel.abort(new Error("stopped"), refusal);
    await expect(waiting).rejects.toThrow("stopped");
  });

  it("rejects waiting senders", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const sends = [channel.send(1), channel.send(2)];
    channel.abort(new Error("stopped"), refusal);
    await sends[0];
    await expect(sends[1]).rejects.toThrow("refused");
  });
});

describe("a released channel", () => {
  it("lets every sender go, drops what comes later, and still gives what it had", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const { sent } = sendAll(channel, [1, 2, 3]);
    channel.release();
    await channel.send(4);
    channel.offer(5);
    expect(sent).toEqual([1, 2, 3]);
    channel.end();
    expect(await readAll(channel.values())).toEqual([1, 2, 3]);
  });
});

describe("a relaxed channel", () => {
  it("lets every sender go and none wait, and still gives all that is sent", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const { sent } = sendAll(channel, [1, 2, 3]);
    channel.relax();
    await channel.send(4);
    expect(sent).toEqual([1, 2, 3]);
    channel.end();
    expect(await readAll(channel.values())).toEqual([1, 2, 3, 4]);
  });
});

describe("a draining channel", () => {
  it("does not count a reader that was refused because another one waits", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    const reader = channel.values();
    const waiting = reader.next();
    await expect(readAll(channel.values())).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await expect(reader.next()).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    channel.drain();
    channel.offer(1);
    expect((await waiting).value).toBe(1);
    await reader.return?.();
    const { sent } = sendAll(channel, [2, 3, 4]);
    await settle();
    expect(sent).toEqual([2, 3, 4]);
  });

  it("never lets a sender wait while nobody reads, and stays within its bound", async () => {
    const channel = createChannel<number>({ capacity: 2 });
    const { sent } = sendAll(channel, [1, 2, 3]);
    channel.drain();
    for (let n = 4; n < 20; n++) {
      await channel.send(n);
      channel.offer(n);
      expect(channel.size).toBeLessThanOrEqual(2);
    }
    expect(sent).toEqual([1, 2, 3]);
  });

  it("keeps what fits for a reader that comes in time", async () => {
    const channel = createChannel<number>({ capacity: 2 });
    channel.drain();
    await channel.send(1);
    await channel.send(2);
    channel.end();
    expect(await readAll(channel.values())).toEqual([1, 2]);
  });

  it("takes nothing from a reader under way, and discards when that one leaves", async () => {
    const channel = createChannel<number>({ capacity: 1 });
    channel.offer(1);
    const reader = channel.values();
    await reader.next();
    channel.drain();
    const { sent } = sendAll(channel, [2, 3, 4]);
    await settle();
    expect(sent).toEqual([2]);
    expect((await reader.next()).value).toBe(2);
    await reader.return?.();
    await settle();
    expect(sent).toEqual([2, 3, 4]);
  });
});
