import type {} from "@tooling/services";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { beginRequest, begun, CALLER, settleRequest, stateOf, turn } from "../test/drive.ts";
import { makeTestSchema, type TestSchema } from "../test/test-schema.ts";
import { createPostgresStore, POSTGRES_STORE_STEPS, type PostgresStoreOptions } from "./index.ts";

let schema: TestSchema;
beforeAll(async () => {
  schema = await makeTestSchema(inject("postgresUrl"));
});
afterAll(() => schema.drop());
beforeEach(() => schema.clear());

describe("options", () => {
  it.each<[string, PostgresStoreOptions]>([
    ["neither a connection nor a pool", {}],
    ["both", { connectionString: "postgres://x", pool: new Pool() }],
    ["a pool of none", { connectionString: "postgres://x", poolSize: 0 }],
    ["no time", { connectionString: "postgres://x", statementTimeoutMs: 0 }],
    ["half a millisecond", { connectionString: "postgres://x", hintDelayMs: 0.5 }],
    ["polling all the time", { connectionString: "postgres://x", pollIntervalMs: 1 }],
    ["waiting for ever", { connectionString: "postgres://x", connectTimeoutMs: Number.POSITIVE_INFINITY }],
  ])("are refused: %s", (_, options) => {
    expect(() => createPostgresStore(options)).toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
  });

  it("scoped: refuses a call without a scope, in every part", async () => {
    const store = schema.store({ scoped: true });
    const nobody = { scope: "" };
    const refused = { status: "FAILED_PRECONDITION", message: expect.stringContaining("scoped: true") };
    await expect(begun(store, "s", nobody)).rejects.toMatchObject(refused);
    await expect(store.index.listSessions(nobody, { limit: 1 })).rejects.toMatchObject(refused);
    await expect(store.index.exportSession(nobody, "s")).rejects.toMatchObject(refused);
    await expect(store.hints.watch(nobody, "x", () => {})).rejects.toMatchObject(refused);
    const lease = { snapshotId: "x", sessionId: "s", epoch: 1 };
    await expect(store.turns.heartbeat([{ caller: nobody, lease }], 1_000)).rejects.toMatchObject(refused);
    await turn(store, "s");
  });

  it("onStep: names each step of begin, append and settle, and what it throws is thrown", async () => {
    const steps: string[] = [];
    const store = schema.store({ onStep: (step) => void steps.push(step) });
    const { lease } = await begun(store, "s");
    await store.events.append(CALLER, lease, { batch: { firstSeq: 2, events: ["{}"] }, leaseMs: 1_000 });
    await store.turns.settle(CALLER, lease, settleRequest('"done"', 3));
    expect(steps).toEqual([...POSTGRES_STORE_STEPS]);
    const failing = schema.store({
      onStep(step) {
        if (step === "begin:answered") throw new Error("killed");
      },
    });
    const request = beginRequest("t");
    await expect(failing.turns.begin(CALLER, request)).rejects.toThrow("killed");
    expect((await store.turns.read(CALLER, { snapshotId: request.snapshotId }, "meta"))?.turn.status).toBe("pending");
  });
});

describe("text", () => {
  const ODD = ["nul\0", "nul\0\0", "lone \ud83d", "lone \ude00", "\u0001", "\u00010000", "\u0002", "\0"];

  it("is kept exactly and apart in ids, scopes, owners, metadata, results, contents and events", async () => {
    const store = schema.store();
    for (const odd of ODD) {
      const caller = { scope: `scope ${odd}`, owner: `owner ${odd}` };
      const request = beginRequest(odd, { agent: odd, writer: odd, fingerprint: odd, input: odd });
      const result = await store.turns.begin(caller, request);
      if (result.type !== "begun") throw new Error(result.type);
      expect(result.turn).toMatchObject({ sessionId: odd, agent: odd, owner: caller.owner, ordinal: 1 });
      expect(await store.turns.begin(caller, request)).toEqual(result);
      const settle = settleRequest(odd);
      const content = { ...stateOf("{}"), json: odd, stateHash: odd };
      const pending = { ...settle.pending, content, events: { firstSeq: 2, events: [odd, `${odd}${odd}`] } };
      await store.turns.settle(caller, result.lease, { ...settle, pending });
      const read = await store.turns.read(caller, { sessionId: odd, among: ["completed"] }, { known: [] });
      expect(read).toMatchObject({
        turn: { result: odd, state: { stateHash: odd } },
        chain: { rows: [{ json: odd }] },
      });
      const log = await store.events.readEvents(caller, result.lease.snapshotId, {
        after: { epoch: 1, seq: 1 },
        limit: 9,
      });
      expect(log?.events.map(({ json }) => json)).toEqual([odd, `${odd}${odd}`]);
      const updated = await store.index.updateSession(caller, odd, { metadata: odd });
      expect(updated).toMatchObject({ metadata: odd, agent: odd });
      expect((await store.index.listSessions(caller, { limit: 9 })).items.map(({ sessionId }) => sessionId)).toEqual([
        odd,
      ]);
    }
  });

  it("that is too long for an index is refused with INVALID_ARGUMENT", async () => {
    const id = Array.from({ length: 4_000 }, () => String.fromCharCode(0x4e00 + Math.random() * 20_000)).join("");
    await expect(begun(schema.store(), id)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
  });
});

describe("a pool", () => {
  it("of the user's is used and left open, also for listening", async () => {
    const pool = new Pool({ connectionString: inject("postgresUrl"), max: 3 });
    const store = schema.store({ pool });
    const { lease } = await begun(store, "s");
    const stop = await store.hints.watch(CALLER, lease.snapshotId, () => {});
    await stop();
    await store.close();
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
    await pool.end();
  });

  it("may be shared by stores of two schemas", async () => {
    const other = await makeTestSchema(inject("postgresUrl"));
    const pool = new Pool({ connectionString: inject("postgresUrl"), max: 1 });
    const stores = [schema, other].map((each) => each.store({ pool, notifications: "off" }));
    for (const store of stores) await turn(store, "same");
    for (const store of stores)
      expect((await store.index.listTurns(CALLER, "same", { limit: 9 })).items).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
    await pool.end();
    await other.drop();
  });

  it("that is exhausted answers UNAVAILABLE in time, and the next call goes through", async () => {
    const pool = new Pool({ connectionString: inject("postgresUrl"), max: 1, connectionTimeoutMillis: 50 });
    const store = schema.store({ pool, notifications: "off" });
    await turn(store, "s");
    const held = await pool.connect();
    await expect(begun(store, "s")).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining("pool is exhausted"),
    });
    held.release();
    await turn(store, "s");
    await store.close();
    await pool.end();
  });
});

describe("time limits", () => {
  it.each<["server" | "client", Partial<PostgresStoreOptions>]>([
    ["server", { statementTimeoutMs: 100 }],
    ["client", { statementTimeoutMs: 100, pooler: "transaction" }],
  ])("end a call that waits for a lock, by the %s", async (_, options) => {
    const store = schema.store(options);
    await turn(store, "s");
    await schema.client.query(`begin; select from ${schema.quoted}.session for update`);
    await expect(begun(store, "s")).rejects.toMatchObject({
      status: "UNAVAILABLE",
      message: expect.stringContaining("statementTimeoutMs"),
    });
    await schema.client.query("rollback");
    await turn(store, "t");
  });
});

describe("close", () => {
  it("lets calls that run come to their end, and refuses what comes later", async () => {
    const store = schema.store({ poolSize: 2 });
    await turn(store, "warm");
    const running = Array.from({ length: 20 }, (_, index) => turn(store, `s${index}`));
    const closed = store.close();
    const ends = await Promise.allSettled(running);
    await closed;
    await store.close();
    // What had been sent was done; the rest was told so, and nothing hangs.
    for (const end of ends)
      if (end.status === "rejected") expect(end.reason).toMatchObject({ status: "FAILED_PRECONDITION" });
    await expect(begun(store, "late")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await expect(store.health()).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await expect(store.hints.watch(CALLER, "x", () => {})).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });
});

describe("health", () => {
  it("says what this server would lose", async () => {
    const health = await schema.store().health();
    expect(health.durable).toBe(false);
    expect(health.warnings.join()).toMatch(/fsync is off.*synchronous_commit is off.*full_page_writes is off/);
  });
});

describe("export and import", () => {
  it("moves a session whole: ids, ordinals, times, epochs, versions and events stay", async () => {
    const store = schema.store();
    const first = await turn(store, "s");
    await turn(store, "s");
    const branch = beginRequest("s", { from: { snapshotId: first.snapshotId }, fingerprint: "f" });
    const begunBranch = await store.turns.begin(CALLER, branch);
    if (begunBranch.type !== "begun") throw new Error(begunBranch.type);
    await store.turns.settle(CALLER, begunBranch.lease, { ...settleRequest(), heads: [] });
    await store.index.updateSession(CALLER, "s", { metadata: '{"title":"x"}', state: "archived" });
    const record = await store.index.exportSession(CALLER, "s");
    if (record === undefined) throw new Error("nothing was exported");
    expect(record.turns.map(({ turn: { ordinal }, events }) => [ordinal, events.length])).toEqual([
      [1, 2],
      [2, 2],
      [3, 2],
    ]);
    expect(record.turns[2]).toMatchObject({ fingerprint: "f", trunkId: first.snapshotId, resumable: false });

    const turns = record.turns.map((each) => ({
      ...each,
      content: { ...stateOf("{}"), ...each.turn.state, ...each.content },
    }));
    const whole = { ...record, turns } as Parameters<typeof store.index.importSession>[1];
    expect(await store.index.importSession(CALLER, whole)).toEqual({ type: "conflict" });
    const elsewhere = { scope: "elsewhere" };
    expect(await store.index.importSession(elsewhere, whole)).toEqual({ type: "imported" });
    expect(await store.index.exportSession(elsewhere, "s")).toEqual(record);
    await store.index.updateSession(elsewhere, "s", { state: "active" });
    const next = await begun(store, "s", elsewhere);
    expect(next.turn).toMatchObject({ ordinal: 4, parentId: record.session.headId });
    expect(next.chain.rows).toHaveLength(1);
  });

  it("imports nothing when one of the turns is there already", async () => {
    const store = schema.store();
    await turn(store, "s");
    const record = await store.index.exportSession(CALLER, "s");
    if (record === undefined) throw new Error("nothing was exported");
    const renamed = { ...record, session: { ...record.session, sessionId: "other" }, turns: record.turns };
    const answer = await store.index.importSession(CALLER, renamed as Parameters<typeof store.index.importSession>[1]);
    expect(answer).toEqual({ type: "conflict" });
    expect(await store.index.getSession(CALLER, "other")).toBeUndefined();
  });

  it("gives the session to the caller's owner, else to the record's", async () => {
    const store = schema.store();
    await turn(store, "s", { ...CALLER, owner: "alice" });
    const record = await store.index.exportSession(CALLER, "s");
    if (record === undefined) throw new Error("nothing was exported");
    const turns = record.turns.map((each) => ({ ...each, content: { ...stateOf("{}"), ...each.content } }));
    const whole = { ...record, turns } as Parameters<typeof store.index.importSession>[1];
    await store.index.importSession({ scope: "b", owner: "bob" }, whole);
    await store.index.importSession({ scope: "c" }, whole);
    expect((await store.index.getSession({ scope: "b" }, "s"))?.owner).toBe("bob");
    const page = await store.index.listTurns({ scope: "c" }, "s", { limit: 1 });
    expect(page.items[0]?.owner).toBe("alice");
  });
});
