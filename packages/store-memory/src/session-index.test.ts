import type { Caller } from "@agents/schema/port";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driveStore, LEASE_MS, NOBODY, START, STOP } from "../test/store-driver.ts";

describe("createSession", () => {
  it("makes a session without turns; again it is existing, with another fingerprint a conflict", async () => {
    const { store, begun } = driveStore();
    const asked = { sessionId: "s", agent: "helper", metadata: "{}", fingerprint: "f" };
    const times = { createdAt: 1_000, updatedAt: 1_000 };
    const session = { sessionId: "s", agent: "helper", metadata: "{}", state: "active", ...times };
    expect(await store.index.createSession(NOBODY, asked)).toEqual({ type: "created", session });
    expect(await store.index.createSession(NOBODY, asked)).toEqual({ type: "existing", session });
    expect(await store.index.createSession(NOBODY, { ...asked, fingerprint: "g" })).toEqual({
      type: "conflict",
    });
    await begun("a", { create: false });
    expect(await store.index.getSession(NOBODY, "s")).toMatchObject({ agent: "helper", activeId: "a" });
  });
});

describe("updateSession", () => {
  it("changes the fields given and keeps the others", async () => {
    const { store, clock } = driveStore();
    await store.index.createSession(NOBODY, { sessionId: "s", agent: "a", metadata: "m" });
    clock.time += 1;
    expect(await store.index.updateSession(NOBODY, "s", { state: "archived" })).toMatchObject({
      metadata: "m",
      state: "archived",
      updatedAt: clock.time,
    });
    expect(await store.index.updateSession(NOBODY, "s", { metadata: "" })).toMatchObject({
      metadata: "",
      state: "archived",
    });
    expect(await store.index.updateSession(NOBODY, "x", {})).toBeUndefined();
  });
});

describe("deleteSession", () => {
  it("leaves nothing, and later writes of its turns are refused without a row", async () => {
    const { begun, settle, turn, store } = driveStore();
    await turn("a");
    const { lease } = await begun("b");
    expect(await store.index.deleteSession(NOBODY, "s")).toBe(true);
    expect(await settle(lease)).toEqual({ ok: false });
    expect(await store.turns.heartbeat([{ caller: NOBODY, lease }], LEASE_MS)).toEqual([{ ok: false }]);
    const batch = { firstSeq: 1, events: [] };
    expect(await store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS })).toEqual({ ok: false });
    expect(await store.turns.read(NOBODY, { snapshotId: "a" }, "meta")).toBeUndefined();
    expect(await store.events.readEvents(NOBODY, "a", { after: START, limit: 1 })).toBeUndefined();
    expect(await store.index.getSession(NOBODY, "s")).toBeUndefined();
    expect(await store.index.listSessions(NOBODY, { limit: 9 })).toEqual({ items: [] });
    expect(await store.index.deleteSession(NOBODY, "s")).toBe(false);
    expect((await begun("a")).turn.ordinal).toBe(1);
  });
});

describe("lists", () => {
  it("sessions, newest change first, of one agent and one state if asked", async () => {
    const { turn, store } = driveStore();
    for (const sessionId of ["x", "y", "z"])
      await turn(`1.${sessionId}`, { sessionId, agent: sessionId === "y" ? "two" : "one" });
    await turn("2.x", { sessionId: "x" });
    const ids = async (page: { agent?: string; state?: "active" | "archived" }) =>
      (await store.index.listSessions(NOBODY, { limit: 9, ...page })).items.map(({ sessionId }) => sessionId);
    expect(await ids({})).toEqual(["x", "z", "y"]);
    expect(await ids({ agent: "one" })).toEqual(["x", "z"]);
    await store.index.updateSession(NOBODY, "z", { state: "archived" });
    expect(await ids({ state: "archived" })).toEqual(["z"]);
    expect(await ids({ agent: "one", state: "active" })).toEqual(["x"]);
  });

  it("every session exactly once that does not change between two pages, whatever happens to others", async () => {
    const plan = fc.record({
      count: fc.integer({ min: 0, max: 12 }),
      limit: fc.integer({ min: 1, max: 5 }),
      changes: fc.array(fc.tuple(fc.constantFrom("touch", "delete", "create"), fc.nat({ max: 11 })), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ count, limit, changes }) => {
        const { store } = driveStore();
        for (let n = 0; n < count; n++) await store.index.createSession(NOBODY, { sessionId: `s${n}`, agent: "a" });
        const changed = new Set(changes.map(([, n]) => `s${n}`));
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await store.index.listSessions(NOBODY, { limit, ...(cursor && { cursor }) });
          seen.push(...page.items.map(({ sessionId }) => sessionId));
          cursor = page.cursor;
          const [name, n] = changes.shift() ?? [];
          if (name === "touch") await store.index.updateSession(NOBODY, `s${n}`, {});
          if (name === "delete") await store.index.deleteSession(NOBODY, `s${n}`);
          if (name === "create") await store.index.createSession(NOBODY, { sessionId: `s${n}`, agent: "a" });
        } while (cursor !== undefined);
        const all = Array.from({ length: count }, (_, n) => `s${count - 1 - n}`);
        expect(seen.filter((id) => !changed.has(id))).toEqual(all.filter((id) => !changed.has(id)));
      }),
    );
  });

  it("turns by ordinal, newest first, in pages, across rows that were dropped meanwhile", async () => {
    const { turn, clock, store } = driveStore();
    for (let n = 1; n <= 6; n++) {
      await turn(`t${n}`);
      clock.time += 1;
    }
    const first = await store.index.listTurns(NOBODY, "s", { limit: 2 });
    expect(first.items.map(({ ordinal }) => ordinal)).toEqual([6, 5]);
    await store.index.prune(NOBODY, "s", { olderThanMs: 4 }, 9);
    const second = await store.index.listTurns(NOBODY, "s", { limit: 2, cursor: first.cursor ?? "" });
    expect(second.items.map(({ ordinal }) => ordinal)).toEqual([4, 3]);
    expect(second).not.toHaveProperty("cursor");
    expect(await store.index.listTurns(NOBODY, "x", { limit: 2 })).toEqual({ items: [] });
  });

  it("refuse a cursor that they did not make, and a limit below one", async () => {
    const { turn, store } = driveStore();
    const elsewhere = driveStore();
    for (const { turn: add } of [{ turn }, elsewhere]) for (const id of ["1", "2"]) await add(id, { sessionId: id });
    const own = (await store.index.listSessions(NOBODY, { limit: 1 })).cursor ?? "";
    const foreign = (await elsewhere.store.index.listSessions(NOBODY, { limit: 1 })).cursor ?? "";
    expect((await store.index.listSessions(NOBODY, { limit: 1, cursor: own })).items).toHaveLength(1);
    const refused = { status: "INVALID_ARGUMENT" };
    for (const cursor of [foreign, "", "1", "1.", `9${own}`, `${own}x`, "NaN.x", "__proto__"]) {
      await expect(store.index.listSessions(NOBODY, { limit: 1, cursor }), cursor).rejects.toMatchObject(refused);
    }
    await expect(store.index.listSessions(NOBODY, { limit: 1, cursor: own, agent: "a" })).rejects.toMatchObject(
      refused,
    );
    await expect(store.index.listSessions(NOBODY, { limit: 1, cursor: own, state: "active" })).rejects.toMatchObject(
      refused,
    );
    await expect(store.index.listSessions({ scope: "t" }, { limit: 1, cursor: own })).rejects.toMatchObject(refused);
    await expect(store.index.listTurns(NOBODY, "1", { limit: 1, cursor: own })).rejects.toMatchObject(refused);
    await expect(store.index.listSessions(NOBODY, { limit: 0 })).rejects.toMatchObject(refused);
  });
});

describe("what is another's does not exist", () => {
  const ann: Caller = { scope: "t", owner: "ann" };

  it.each<[string, Caller, boolean]>([
    ["the same owner", ann, true],
    ["a caller without an owner", { scope: "t" }, true],
    ["another owner", { scope: "t", owner: "eve" }, false],
    ["the same owner in another scope", { scope: "u", owner: "ann" }, false],
  ])("for %s: %o sees it: %s", async (_, caller, sees) => {
    const { begun, begin, store } = driveStore();
    const { lease } = await begun("a", { caller: ann });
    const seen = [
      await store.turns.read(caller, { snapshotId: "a" }, "meta"),
      await store.turns.read(caller, { sessionId: "s", among: ["pending"] }, "meta"),
      await store.events.readEvents(caller, "a", { after: START, limit: 1 }),
      await store.index.getSession(caller, "s"),
      (await store.index.listSessions(caller, { limit: 9 })).items[0],
      (await store.index.listTurns(caller, "s", { limit: 9 })).items[0],
      (await store.turns.heartbeat([{ caller, lease }], LEASE_MS))[0]?.turn,
      await store.turns.requestAbort(caller, "a", STOP),
      await store.index.updateSession(caller, "s", {}),
    ];
    expect(seen.map((value) => value !== undefined)).toEqual(seen.map(() => sees));
    expect((await begin("b", { caller, branchOf: "a" })).type).toBe(sees ? "notResumable" : "notFound");
    expect(await store.index.deleteSession(caller, "s")).toBe(sees);
  });

  it("and its ids cannot be taken, nor what is behind them seen", async () => {
    const { begun, begin, store } = driveStore();
    await begun("a", { caller: ann });
    const eve = { scope: "t", owner: "eve" };
    expect(await begin("b", { caller: eve })).toEqual({ type: "notFound" });
    expect(await begin("a", { caller: eve, sessionId: "mine" })).toEqual({ type: "notFound" });
    await store.index.updateSession(ann, "s", { metadata: "secret" });
    expect(await store.index.createSession(eve, { sessionId: "s", agent: "x" })).toEqual({ type: "conflict" });
  });

  it("and a store set up with scopes refuses a call without one", async () => {
    const { begin, begun, store } = driveStore({ scoped: true });
    await expect(begin("a")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await expect(store.hints.watch(NOBODY, "a", () => undefined)).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
    });
    const { lease } = await begun("a", { caller: { scope: "t" } });
    const leases = [
      { caller: { scope: "t" }, lease },
      { caller: NOBODY, lease },
    ];
    await expect(store.turns.heartbeat(leases, 1)).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });
});
