import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { content, driveStore, LEASE_MS, NOBODY, START } from "../test/store-driver.ts";

describe("append", () => {
  it("adds what follows the last event, and refuses a gap, an overlap, another epoch and a final row", async () => {
    const { begun, settle, store } = driveStore();
    const { lease } = await begun("a", { events: { firstSeq: 1, events: ["one"] } });
    const append = (firstSeq: number, events: string[], epoch = 1) =>
      store.events.append(NOBODY, { ...lease, epoch }, { batch: { firstSeq, events }, leaseMs: LEASE_MS });
    expect(await append(2, ["two", "three"])).toMatchObject({ ok: true, turn: { lastSeq: 3 } });
    expect(await append(5, ["five"])).toMatchObject({ ok: false, turn: { lastSeq: 3 } });
    expect(await append(3, ["three", "four"])).toMatchObject({ ok: false, turn: { lastSeq: 3 } });
    expect(await append(4, ["four"], 2)).toMatchObject({ ok: false, turn: { lastSeq: 3 } });
    await settle(lease);
    expect(await append(4, ["four"])).toMatchObject({ ok: false, turn: { status: "completed" } });
    expect(
      await store.events.append(
        NOBODY,
        { ...lease, snapshotId: "x" },
        { batch: { firstSeq: 1, events: [] }, leaseMs: 1 },
      ),
    ).toEqual({ ok: false });
  });

  it("repeated, answers ok and changes nothing: not the log, newer progress, or the lease", async () => {
    const { begun, clock, store } = driveStore();
    const { lease } = await begun("a");
    const first = { batch: { firstSeq: 1, events: ["one"] }, leaseMs: LEASE_MS, progress: content("early") };
    await store.events.append(NOBODY, lease, first);
    const second = { batch: { firstSeq: 2, events: ["two"] }, leaseMs: LEASE_MS, progress: content("late") };
    await store.events.append(NOBODY, lease, second);
    clock.time += LEASE_MS;
    const again = await store.events.append(NOBODY, lease, { ...second, progress: content("later") });
    expect(again).toMatchObject({ ok: true, turn: { lastSeq: 2, stale: true, version: 3 } });
    const read = await store.turns.read(NOBODY, { snapshotId: "a" }, { known: [] });
    expect(read?.chain?.rows).toMatchObject([{ value: { text: "late" } }]);
    const other = { ...first, batch: { firstSeq: 2, events: ["another"] } };
    expect(await store.events.append(NOBODY, lease, other)).toMatchObject({ ok: false });
    expect(await store.events.append(NOBODY, lease, first), "not the last batch").toMatchObject({ ok: false });
  });

  it("that a takeover overtook is refused even with the same texts", async () => {
    const { stale, store } = driveStore();
    const { lease } = await stale("a", { events: { firstSeq: 1, events: ["one"] } });
    await store.turns.claim(NOBODY, "a", { writer: "w", leaseMs: LEASE_MS, known: [] });
    const batch = { firstSeq: 1, events: ["one"] };
    expect(await store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS })).toMatchObject({ ok: false });
    const next = { batch: { firstSeq: 2, events: ["two"] }, leaseMs: LEASE_MS };
    await store.events.append(NOBODY, { ...lease, epoch: 2 }, next);
    const read = await store.events.readEvents(NOBODY, "a", { after: START, limit: 10 });
    expect(read?.events.map(({ seq, epoch }) => [seq, epoch])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it("without events renews the lease whatever its number, and is no change of version", async () => {
    const { stale, store } = driveStore();
    const { lease, turn } = await stale("a");
    const request = { batch: { firstSeq: 7, events: [] }, leaseMs: LEASE_MS };
    const { version, updatedAt } = turn;
    expect(await store.events.append(NOBODY, lease, request)).toMatchObject({
      ok: true,
      turn: { stale: false, version, updatedAt },
    });
  });

  it("without events saves progress, which no row shows", async () => {
    const { stale, store } = driveStore();
    const { lease } = await stale("a");
    const request = { batch: { firstSeq: 1, events: [] }, leaseMs: LEASE_MS, progress: content("half") };
    const answer = await store.events.append(NOBODY, lease, request);
    expect(answer).toMatchObject({ ok: true, turn: { stale: false, lastSeq: 0, version: 2 } });
    expect(answer.turn).not.toHaveProperty("state");
  });
});

describe("readEvents", () => {
  it("gives every event once, in order, in pages of any size, however they were written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 4 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (sizes, limit) => {
          const { begun, store } = driveStore();
          const { lease } = await begun("a");
          let written = 0;
          for (const size of sizes) {
            const events = Array.from({ length: size }, (_, index) => `event ${written + index + 1}\u0000`);
            await store.events.append(NOBODY, lease, { batch: { firstSeq: written + 1, events }, leaseMs: LEASE_MS });
            written += size;
          }
          const read: string[] = [];
          for (let after = START; ; after = { epoch: 1, seq: read.length }) {
            const page = await store.events.readEvents(NOBODY, "a", { after, limit });
            if (page === undefined || page.events.length === 0) break;
            for (const { seq, json } of page.events) {
              read.push(json);
              expect(seq).toBe(read.length);
            }
          }
          expect(read).toEqual(Array.from({ length: written }, (_, index) => `event ${index + 1}\u0000`));
        },
      ),
    );
  });

  it("goes on after what the reader shares with the log, not after what a lost worker never stored", async () => {
    const { stale, store } = driveStore();
    const { lease } = await stale("a", { events: { firstSeq: 1, events: ["one", "two"] } });
    await store.turns.claim(NOBODY, "a", { writer: "w", leaseMs: LEASE_MS, known: [] });
    const batch = { firstSeq: 3, events: ["three", "four"] };
    await store.events.append(NOBODY, { ...lease, epoch: 2 }, { batch, leaseMs: LEASE_MS });
    const first = async (epoch: number, seq: number) =>
      (await store.events.readEvents(NOBODY, "a", { after: { epoch, seq }, limit: 9 }))?.events[0]?.seq;
    expect(await first(1, 4)).toBe(3);
    expect(await first(1, 1)).toBe(2);
    expect(await first(0, 9)).toBe(1);
    expect(await first(2, 3)).toBe(4);
    expect(await first(2, 4)).toBeUndefined();
    expect(await first(3, 9)).toBeUndefined();
  });

  it("knows no events of an unknown turn, and refuses a page that cannot be", async () => {
    const { store } = driveStore();
    expect(await store.events.readEvents(NOBODY, "x", { after: START, limit: 1 })).toBeUndefined();
    for (const page of [
      { after: { epoch: 0, seq: -1 }, limit: 1 },
      { after: START, limit: 0 },
      { after: { epoch: 0.5, seq: 1 }, limit: 1 },
    ]) {
      await expect(store.events.readEvents(NOBODY, "x", page)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    }
  });
});
