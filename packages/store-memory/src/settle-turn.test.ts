import type { Lease, TurnMeta } from "@agents/schema/port";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { content, driveStore, LEASE_MS, NOBODY, STOP, type StoreDriver } from "../test/store-driver.ts";
import { isLive, mayMove, type StoredStatus } from "./status-moves.ts";

describe("settle", () => {
  it("writes the outcome for the status found, and an abort that was requested before wins", async () => {
    const { begun, settle, store } = driveStore();
    const { lease } = await begun("a");
    await store.turns.requestAbort(NOBODY, "a", STOP);
    expect(await settle(lease)).toMatchObject({ ok: true, turn: { status: "aborted", result: "stopped" } });
    expect(await store.index.getSession(NOBODY, "s")).not.toHaveProperty("headId");
  });

  it("repeated, answers ok and changes nothing", async () => {
    const { begun, settle } = driveStore();
    const { lease } = await begun("a");
    const events = { firstSeq: 1, events: ["end"] };
    const first = await settle(lease, { events });
    expect(await settle(lease, { events })).toEqual(first);
    expect(first).toMatchObject({ ok: true, turn: { version: 2, lastSeq: 1 } });
  });

  it.each([
    ["another result", { result: "other" }],
    ["another status", { status: "failed" as const }],
    ["another state", { content: content("other") }],
    ["other events", { events: { firstSeq: 7, events: ["e"] } }],
  ])("with %s answers ok once the row is final under its epoch, and writes nothing", async (_, other) => {
    const { begun, settle } = driveStore();
    const { lease } = await begun("a");
    const first = await settle(lease);
    expect(await settle(lease, other)).toEqual(first);
  });

  it("is refused under another epoch, and for a lease that names another session", async () => {
    const { begun, settle } = driveStore();
    const { lease } = await begun("a");
    expect(await settle({ ...lease, epoch: 2 })).toMatchObject({ ok: false, turn: { status: "pending" } });
    expect(await settle({ ...lease, sessionId: "other" })).toEqual({ ok: false });
    expect(await settle({ ...lease, snapshotId: "unknown" })).toEqual({ ok: false });
  });

  it("is refused where its events leave a gap, and says where the log stands", async () => {
    const { begun, settle } = driveStore();
    const { lease } = await begun("a", { events: { firstSeq: 1, events: ["one"] } });
    const gap = await settle(lease, { events: { firstSeq: 3, events: ["three"] } });
    expect(gap).toMatchObject({ ok: false, turn: { status: "pending", lastSeq: 1 } });
  });

  it("after the lease ran out succeeds as long as nobody took the turn", async () => {
    const { stale, settle } = driveStore();
    const { lease } = await stale("a");
    expect(await settle(lease)).toMatchObject({ ok: true, turn: { status: "completed", stale: false } });
  });

  it("moves the head only to a higher ordinal", async () => {
    const { begun, settle, turn, store } = driveStore();
    await turn("a");
    const old = await begun("b");
    const young = await begun("c", { ifActive: "fork" });
    await settle(young.lease);
    await settle(old.lease);
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ headId: "c" });
  });

  it("leaves the head where the status is none of `heads`", async () => {
    const { begun, settle, turn, store } = driveStore();
    await turn("a");
    await settle((await begun("b")).lease, { heads: [] });
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ headId: "a" });
  });

  it("drops saved progress when the outcome has no state", async () => {
    const { begun, settle, store } = driveStore();
    const { lease } = await begun("a");
    const batch = { firstSeq: 1, events: [] };
    await store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS, progress: content("half") });
    await settle(lease, { status: "failed", content: undefined as never });
    const read = await store.turns.read(NOBODY, { snapshotId: "a" }, { known: [] });
    expect(read?.turn).not.toHaveProperty("state");
    expect(read?.chain).toEqual({ rows: [] });
  });
});

describe("the answer of a call", () => {
  it("does not change when the row does", async () => {
    const { begun, settle, store } = driveStore();
    const { turn, lease } = await begun("a");
    const session = await store.index.getSession(NOBODY, "s");
    const before = structuredClone({ turn, session });
    await settle(lease);
    expect({ turn, session }).toEqual(before);
  });

  it("changes no row when a caller writes to it", async () => {
    const { begun, settle, status, store } = driveStore();
    const { turn, lease } = await begun("a");
    Object.assign(turn, { status: "failed" });
    expect(await status("a")).toBe("pending");
    const settled = await settle(lease);
    expect(() => Object.assign(settled.turn?.state ?? {}, { stateHash: "forged" })).toThrow(TypeError);
    const read = await store.turns.read(NOBODY, { snapshotId: "a" }, "meta");
    expect(read?.turn.state?.stateHash).toBe("hash of after a");
  });
});

describe("moves between statuses", () => {
  const moves: [StoredStatus, StoredStatus[]][] = [
    ["pending", ["aborting", "completed", "failed", "aborted"]],
    ["aborting", ["aborted"]],
    ["completed", []],
    ["failed", []],
    ["aborted", []],
  ];

  it.each(moves)("%s becomes %j and nothing else", (from, allowed) => {
    for (const [to] of moves) expect(mayMove(from, to), to).toBe(allowed.includes(to));
    expect(isLive(from)).toBe(allowed.length > 0);
  });

  it("refuses an outcome that would make an aborting turn anything but aborted", async () => {
    const { begun, begin, clock, store, status } = driveStore();
    await begun("a");
    await store.turns.requestAbort(NOBODY, "a", STOP);
    clock.time += LEASE_MS;
    const failed = { ...STOP.outcome, status: "failed" as const };
    await expect(begin("b", { lost: { pending: failed, aborting: failed as never, heads: [] } })).rejects.toMatchObject(
      {
        status: "INVALID_ARGUMENT",
      },
    );
    expect(await status("a")).toBe("aborting");
  });

  it("end in one terminal status, whatever settles, aborts, claims and pauses come in which order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(ACTIONS)), { maxLength: 12 }), async (names) => {
        const driver = driveStore();
        const { lease } = await driver.begun("a");
        const seen: TurnMeta[] = [];
        for (const name of names) {
          await ACTIONS[name]?.(driver, { ...lease, epoch: seen.at(-1)?.epoch ?? 1 });
          const read = await driver.store.turns.read(NOBODY, { snapshotId: "a" }, "meta");
          if (read !== undefined) seen.push(read.turn);
        }
        const final = seen.findIndex(({ status }) => !isLive(status));
        const ends = final === -1 ? [] : seen.slice(final).map(({ status, version }) => `${status} ${version}`);
        expect(new Set(ends).size).toBeLessThanOrEqual(1);
        const versions = seen.map(({ version }) => version);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      }),
    );
  });
});

/** What may happen to turn "a", by the writer that holds its lease or by others. */
const ACTIONS: Record<string, (driver: StoreDriver, lease: Lease) => unknown> = {
  complete: ({ settle }, lease) => settle(lease),
  fail: ({ settle }, lease) => settle(lease, { status: "failed" }),
  abort: ({ store }) => store.turns.requestAbort(NOBODY, "a", STOP),
  claim: ({ store }) => store.turns.claim(NOBODY, "a", { writer: "w", leaseMs: LEASE_MS, known: [] }),
  begin: ({ begin, clock }) => begin(`at ${clock.time}`),
  wait: ({ clock }) => {
    clock.time += LEASE_MS;
  },
};
