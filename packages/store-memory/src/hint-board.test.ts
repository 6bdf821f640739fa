import { describe, expect, it, vi } from "vitest";
import { driveStore, LEASE_MS, NOBODY, STOP } from "../test/store-driver.ts";
import { HintBoard } from "./hint-board.ts";

const anyone = () => true;
const microtask = () => new Promise<void>((resolve) => queueMicrotask(resolve));

describe("a hint", () => {
  it("comes after the writer is done, once for all that changed until then", async () => {
    const board = new HintBoard();
    const onHint = vi.fn();
    board.watch(NOBODY, "a", onHint);
    board.raise("", "a", anyone);
    board.raise("", "a", anyone);
    board.raise("", "b", anyone);
    board.raise("other", "a", anyone);
    expect(onHint).not.toHaveBeenCalled();
    await microtask();
    expect(onHint).toHaveBeenCalledTimes(1);
    board.raise("", "a", anyone);
    await microtask();
    expect(onHint).toHaveBeenCalledTimes(2);
  });

  it("that throws or rejects reaches neither the writer nor the other watchers", async () => {
    const board = new HintBoard();
    const onHint = vi.fn();
    board.watch(NOBODY, "a", () => {
      throw new Error("watcher");
    });
    board.watch(NOBODY, "a", vi.fn().mockRejectedValue(new Error("async watcher")));
    board.watch(NOBODY, "a", onHint);
    board.raise("", "a", anyone);
    await microtask();
    expect(onHint).toHaveBeenCalledTimes(1);
  });

  it("does not come after the watch was stopped, by another hint of the same round either", async () => {
    const board = new HintBoard();
    const onHint = vi.fn();
    const stops: (() => void)[] = [];
    board.watch(NOBODY, "a", () => stops.forEach((stop) => void stop()));
    stops.push(board.watch(NOBODY, "a", onHint));
    board.raise("", "a", anyone);
    await microtask();
    expect(onHint).not.toHaveBeenCalled();
  });

  it("is kept from a caller for whom the turn does not exist", async () => {
    const board = new HintBoard();
    const onHint = vi.fn();
    board.watch({ scope: "", owner: "eve" }, "a", onHint);
    board.raise("", "a", ({ owner }) => owner === "ann");
    await microtask();
    expect(onHint).not.toHaveBeenCalled();
  });
});

it("nothing is left of a watch that was stopped, twice even", () => {
  const board = new HintBoard();
  const stops = ["a", "a", "b"].map((id) => board.watch({ scope: `of ${id}` }, id, vi.fn()));
  expect(board.size).toBe(7);
  for (const stop of [...stops, ...stops]) stop();
  expect(board.size).toBe(0);
});

describe("the store hints", () => {
  it("at every change of the turn", async () => {
    const { begun, settle, clock, store } = driveStore();
    const onHint = vi.fn();
    await store.hints.watch(NOBODY, "a", onHint);
    const hints = async (change: Promise<unknown>) => {
      onHint.mockClear();
      await change;
      await microtask();
      return onHint.mock.calls.length;
    };
    const batch = { firstSeq: 1, events: ["one"] };
    const beginning = begun("a");
    expect(await hints(beginning)).toBe(1);
    const { lease } = await beginning;
    expect(await hints(store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS }))).toBe(1);
    expect(await hints(store.turns.heartbeat([{ caller: NOBODY, lease }], LEASE_MS)), "a heartbeat in time").toBe(0);
    clock.time += LEASE_MS;
    expect(await hints(store.turns.heartbeat([{ caller: NOBODY, lease }], LEASE_MS)), "one that revives").toBe(1);
    clock.time += LEASE_MS;
    expect(await hints(store.turns.claim(NOBODY, "a", { writer: "w", leaseMs: LEASE_MS, known: [] }))).toBe(1);
    expect(await hints(store.turns.requestAbort(NOBODY, "a", STOP))).toBe(1);
    expect(await hints(settle({ ...lease, epoch: 2 }))).toBe(1);
    expect(await hints(store.index.deleteSession(NOBODY, "s"))).toBe(1);
  });

  it("no more once the watch was stopped or the store closed", async () => {
    const { begun, settle, store } = driveStore();
    const onHint = vi.fn();
    const stop = await store.hints.watch(NOBODY, "a", onHint);
    await stop();
    await stop();
    const { lease } = await begun("a");
    const stopAfterClose = await store.hints.watch(NOBODY, "a", onHint);
    const settling = settle(lease);
    const closing = store.close();
    await Promise.all([settling, closing, microtask()]);
    await stopAfterClose();
    expect(onHint).not.toHaveBeenCalled();
  });
});
