import { createManualClock } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { NOBODY, openFileStore, temporaryDirectory, turn } from "../test/file-driver.ts";
import { begun, newSnapshotId, settle } from "../test/turn-calls.ts";
import { FolderWatch } from "./watch/folder-watch.ts";

describe("a watched turn", () => {
  it("of another store is heard of from the system, without a poll", async () => {
    const directory = temporaryDirectory();
    const [store, other] = [openFileStore(directory, { pollMs: 0 }), openFileStore(directory)];
    const { lease } = await begun(other, "s");
    let hints = 0;
    await store.hints.watch(NOBODY, lease.snapshotId, () => hints++);
    await settle(other, lease);
    await expect.poll(() => hints).toBeGreaterThan(0);
  });

  it("that is not there yet is heard of once it is, without a poll", async () => {
    const directory = temporaryDirectory();
    const [store, other] = [openFileStore(directory, { pollMs: 0 }), openFileStore(directory)];
    const snapshotId = newSnapshotId("s");
    let hints = 0;
    await store.hints.watch({ scope: "tenant/a" }, snapshotId, () => hints++);
    const { lease } = await begun(other, "s", { snapshotId, scope: "tenant/a" });
    await expect.poll(() => hints).toBeGreaterThan(0);
    hints = 0;
    await settle(other, lease, { scope: "tenant/a" });
    await expect.poll(() => hints).toBeGreaterThan(0);
  });

  it("is heard of after its journal was written anew", async () => {
    const directory = temporaryDirectory();
    const [store, other] = [openFileStore(directory, { pollMs: 0 }), openFileStore(directory)];
    for (let count = 0; count < 4; count++) await turn(other, "s", { text: "long ".repeat(10_000) });
    const { lease } = await begun(other, "s");
    let hints = 0;
    await store.hints.watch(NOBODY, lease.snapshotId, () => hints++);
    await other.index.prune(NOBODY, "s", { keepLast: 1 }, 9);
    await expect.poll(() => hints).toBeGreaterThan(0);
    hints = 0;
    await settle(other, lease);
    await expect.poll(() => hints).toBeGreaterThan(0);
  });
});

describe("the poll", () => {
  it("runs only while somebody watches", async () => {
    const clock = createManualClock();
    const store = openFileStore(temporaryDirectory(), { pollMs: 1_000, clock });
    expect(clock.pendingTimers).toBe(0);
    const [leave, leaveToo] = [
      await store.hints.watch(NOBODY, newSnapshotId("s"), () => undefined),
      await store.hints.watch(NOBODY, newSnapshotId("t"), () => undefined),
    ];
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(5_000);
    expect(clock.pendingTimers).toBe(1);
    await leave();
    await leave();
    expect(clock.pendingTimers).toBe(1);
    await leaveToo();
    expect(clock.pendingTimers).toBe(0);
  });

  it("looks every so often, and with 0 never", async () => {
    const clock = createManualClock();
    const folder = temporaryDirectory();
    const looks: string[] = [];
    for (const pollMs of [250, 0]) {
      const watch = new FolderWatch({ pollMs, setTimer: clock.setTimer });
      watch.add(folder, () => looks.push(String(pollMs)));
      await clock.advance(1_000);
      watch.clear();
    }
    expect(looks).toEqual(["250", "250", "250", "250"]);
  });
});
