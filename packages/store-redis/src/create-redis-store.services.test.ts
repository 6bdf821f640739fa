import { createHash, randomUUID } from "node:crypto";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestStore } from "../test/open-test-store.ts";
import { type Client, type OwnRedis, startOwnRedis } from "../test/own-redis.ts";
import { fullContent, loadState, stateAfter } from "../test/turn-content.ts";
import { begun, complete, completion, LEASE_MS, NOBODY, newId, sendRequest, turn } from "../test/turn-driver.ts";
import { createRedisStore } from "./create-redis-store.ts";
import { KeySpace } from "./record/key-space.ts";

let own: OwnRedis;
let client: Client;
beforeAll(async () => {
  own = await startOwnRedis();
  client = await own.client();
});
afterAll(() => own.stop());

function open(options: { ttlMs?: number; buckets?: number; prefix?: string; scoped?: boolean } = {}) {
  const prefix = `${randomUUID()}:`;
  return { prefix, store: openTestStore({ client, prefix, ...options }) };
}

function addressOf(prefix: string, sessionId: string) {
  return new KeySpace({ prefix, buckets: 64 }).ofSession("", sessionId);
}

describe("round trips", () => {
  it("begin, append and settle are one command each, and no command looks at all keys", async () => {
    const { store } = open();
    await turn(store, "warm");
    const { lease: warm } = await begun(store, sendRequest("warm"));
    const request = { batch: { firstSeq: 2, events: ['"x"'] }, leaseMs: LEASE_MS };
    await store.events.append(NOBODY, warm, request);
    await client.configResetStat();
    const { lease } = await begun(store, sendRequest("s"));
    await store.events.append(NOBODY, lease, request);
    await complete(store, lease, completion({}, 3));
    const stats = await commandStats(client);
    expect(stats.get("evalsha")).toBe(3);
    expect([...stats.keys()].filter((name) => ["eval", "keys", "scan", "hgetall"].includes(name))).toEqual([]);
  });

  it("a conversation is loaded in one, and only what the caller does not hold", async () => {
    const { store } = open();
    let last = await turn(store, "s");
    const held = last;
    for (let count = 0; count < 30; count++) last = await turn(store, "s", last);
    await client.configResetStat();
    const whole = await store.turns.read(NOBODY, { snapshotId: last.id }, { known: [] });
    expect((await commandStats(client)).get("evalsha")).toBe(1);
    expect(loadState(whole?.chain ?? { rows: [] })).toEqual(last.content.value);
    const rest = await store.turns.read(NOBODY, { snapshotId: last.id }, { known: [held.id] });
    expect(rest?.chain?.rows).toHaveLength(30);
  });

  it("a hundred leases are renewed with at most one script per bucket", async () => {
    const { store } = open();
    const leases = [];
    for (let number = 0; number < 100; number++) {
      leases.push({ caller: NOBODY, lease: (await begun(store, sendRequest(`s${number}`))).lease });
    }
    await store.turns.heartbeat(leases.slice(0, 1), LEASE_MS);
    await client.configResetStat();
    const beats = await store.turns.heartbeat(leases, LEASE_MS);
    expect(beats.every(({ ok }) => ok)).toBe(true);
    expect((await commandStats(client)).get("evalsha")).toBeLessThanOrEqual(64);
  });
});

describe("records", () => {
  it("of a newer version are refused by every operation, and stay as they are", async () => {
    const { store, prefix } = open();
    const { lease } = await begun(store, sendRequest("s"));
    const { key } = addressOf(prefix, "s");
    await client.hSet(key, "v", "2");
    const before = await client.hGetAll(key);
    const refused = {
      status: "FAILED_PRECONDITION",
      message: expect.stringContaining("has version 2; this package reads up to 1"),
    };
    const at = { snapshotId: lease.snapshotId };
    const calls: (() => Promise<unknown>)[] = [
      () => begun(store, sendRequest("s")),
      () => complete(store, lease),
      () => store.turns.heartbeat([{ caller: NOBODY, lease }], LEASE_MS),
      () => store.turns.read(NOBODY, at, "meta"),
      () => store.events.append(NOBODY, lease, { batch: { firstSeq: 2, events: [] }, leaseMs: 1 }),
      () => store.events.readEvents(NOBODY, lease.snapshotId, { after: { epoch: 0, seq: 0 }, limit: 1 }),
      () => store.index.getSession(NOBODY, "s"),
      () => store.index.updateSession(NOBODY, "s", { metadata: "{}" }),
      () => store.index.deleteSession(NOBODY, "s"),
      () => store.index.listTurns(NOBODY, "s", { limit: 1 }),
      () => store.index.prune(NOBODY, "s", { keepLast: 1 }, 1),
      () => store.index.exportSession(NOBODY, "s"),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(refused);
    expect(await client.hGetAll(key)).toEqual(before);
  });

  it("that were damaged, and keys that are something else, are DATA_LOSS, with nothing written", async () => {
    const { store, prefix } = open();
    const { lease } = await begun(store, sendRequest("s"));
    const { key } = addressOf(prefix, "s");
    await client.hSet(key, lease.snapshotId, "\u0001nonsense");
    await expect(complete(store, lease)).rejects.toMatchObject({ status: "DATA_LOSS" });
    const other = addressOf(prefix, "other");
    await client.set(other.key, "text");
    await expect(begun(store, sendRequest("other"))).rejects.toMatchObject({ status: "DATA_LOSS" });
    const third = addressOf(prefix, "third");
    await client.del(third.index);
    await client.set(third.index, "text");
    await expect(begun(store, sendRequest("third"))).rejects.toMatchObject({ status: "DATA_LOSS" });
    expect(await client.exists(third.key)).toBe(0);
  });

  it("take no text that UTF-8 cannot carry, and say where it is", async () => {
    const { store } = open();
    const broken = begun(store, sendRequest("s", { input: '"ab\ud83d"' }));
    await expect(broken).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      details: { call: "begin", character: 3 },
    });
  });

  it("of sessions that share a route are kept apart, and deleted apart", async () => {
    const [one, other] = sameRoute();
    const { store } = open();
    const kept = await turn(store, other);
    const gone = await turn(store, one);
    const second = await turn(store, other, kept);
    expect([gone.turn.ordinal, second.turn.ordinal]).toEqual([1, 2]);
    expect(await store.index.deleteSession(NOBODY, one)).toBe(true);
    expect(await store.turns.read(NOBODY, { snapshotId: gone.id }, "meta")).toBeUndefined();
    const read = await store.turns.read(NOBODY, { snapshotId: second.id }, { known: [] });
    expect(loadState(read?.chain ?? { rows: [] })).toEqual(second.content.value);
    expect(await store.index.deleteSession(NOBODY, other)).toBe(true);
    expect(await store.index.listSessions(NOBODY, { limit: 9 })).toEqual({ items: [] });
  });

  it("refuses an id that does not lead to its session, naming the route", async () => {
    const { store } = open();
    const stray = begun(store, sendRequest("s", { snapshotId: newId("another") }));
    await expect(stray).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
  });
});

describe("expiry", () => {
  it("takes a session whole, at the time given after its last change, and its entry in lists", async () => {
    const { store, prefix } = open({ ttlMs: 5_000 });
    await turn(store, "s");
    const { key, index } = addressOf(prefix, "s");
    expect(await client.pTTL(key)).toBeGreaterThan(4_000);
    await client.pExpire(key, 1);
    await expect.poll(() => client.exists(key)).toBe(0);
    expect(await client.zCard(index)).toBe(1);
    expect(await store.index.listSessions(NOBODY, { limit: 5 })).toEqual({ items: [] });
    expect(await client.zCard(index)).toBe(0);
  });

  it("never takes a live turn: its lease counts, also when another turn of the session ends", async () => {
    const { store, prefix } = open({ ttlMs: 5_000 });
    const { id } = await turn(store, "s");
    const { key } = addressOf(prefix, "s");
    const long = await begun(store, sendRequest("s"));
    const from = { snapshotId: id };
    const short = await begun(store, sendRequest("s", { from, leaseMs: 1_000 }));
    await complete(store, short.lease);
    expect(await client.pTTL(key)).toBeGreaterThan(LEASE_MS);
    await store.turns.heartbeat([{ caller: NOBODY, lease: long.lease }], 2 * LEASE_MS);
    expect(await client.pTTL(key)).toBeGreaterThan(2 * LEASE_MS);
  });

  it("does not let an index grow: a new session takes entries of the bucket that expired", async () => {
    const { store, prefix } = open({ ttlMs: 5_000, buckets: 1 });
    for (let number = 0; number < 3; number++) await turn(store, `old ${number}`);
    const space = new KeySpace({ prefix, buckets: 1 });
    for (let number = 0; number < 3; number++) await client.del(space.ofSession("", `old ${number}`).key);
    await turn(store, "new");
    await expect.poll(() => client.zCard(space.ofSession("", "new").index)).toBe(1);
  });
});

describe("options", () => {
  it("refuses another number of buckets than the data have, and takes the same", async () => {
    const { store, prefix } = open({ buckets: 8 });
    await turn(store, "s");
    const other = openTestStore({ client, prefix, buckets: 9 });
    await expect(turn(other, "s")).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      details: { found: 8, given: 9 },
    });
    expect((await openTestStore({ client, prefix, buckets: 8 }).index.getSession(NOBODY, "s"))?.sessionId).toBe("s");
  });

  it("refuses an empty scope where scopes are the rule", async () => {
    const { store } = open({ scoped: true });
    await expect(turn(store, "s")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });

  it.each([{ buckets: 0 }, { buckets: 1.5 }, { ttlMs: 10 }, { timeoutMs: -1 }, { prefix: "a{b}" }])(
    "refuses %j",
    (options) => {
      expect(() => createRedisStore({ client, ...options })).toThrow(
        expect.objectContaining({ status: "INVALID_ARGUMENT" }),
      );
    },
  );

  it("tells each step before it is sent and when it was answered, and passes on what is thrown", async () => {
    const steps: string[] = [];
    const prefix = `${randomUUID()}:`;
    const onStep = (step: string) => {
      steps.push(step);
    };
    const store = openTestStore({ client, prefix, onStep });
    const { lease } = await begun(store, sendRequest("s"));
    await store.events.append(NOBODY, lease, { batch: { firstSeq: 2, events: ['"x"'] }, leaseMs: 1 });
    await complete(store, lease, completion({}, 3));
    expect(steps).toEqual(["begin", "append", "settle"].flatMap((call) => [`${call}:before-send`, `${call}:answered`]));
    const breaking = openTestStore({ client, prefix, onStep: () => Promise.reject(new Error("stop here")) });
    await expect(breaking.turns.begin(NOBODY, sendRequest("t"))).rejects.toThrow("stop here");
  });

  it("ends its own connections at close, and not the user's", async () => {
    const store = createRedisStore({ url: own.url, prefix: `${randomUUID()}:`, onWarning: () => {} });
    const { id } = await turn(store, "s");
    await store.hints.watch(NOBODY, id, () => {});
    const clients = async () =>
      String(await client.sendCommand(["CLIENT", "LIST"]))
        .trim()
        .split("\n").length;
    const before = await clients();
    await store.close();
    await store.close();
    await expect.poll(clients).toBe(before - 2);
    const { store: shared } = open();
    await turn(shared, "s");
    await shared.close();
    expect(await client.ping()).toBe("PONG");
    await expect(turn(shared, "s")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });

  it("works with a client that maps replies to buffers", async () => {
    const mapped = createClient({ url: own.url, commandOptions: { typeMapping: { 36: Buffer } } });
    await mapped.connect();
    const store = openTestStore({ client: mapped, prefix: `${randomUUID()}:` });
    const { id } = await turn(store, "s");
    expect((await store.index.listSessions(NOBODY, { limit: 5 })).items[0]?.headId).toBe(id);
    await store.close();
    mapped.destroy();
  });

  it("works with a client that speaks RESP 3", async () => {
    const modern = createClient({ url: own.url, RESP: 3 });
    await modern.connect();
    const store = openTestStore({ client: modern, prefix: `${randomUUID()}:` });
    const { id } = await turn(store, "s");
    expect((await store.index.listSessions(NOBODY, { limit: 5 })).items[0]?.headId).toBe(id);
    expect((await store.health()).warnings).toHaveLength(1);
    await store.close();
    modern.destroy();
  });
});

describe("export and import", () => {
  it("moves a session to another store, whole, also beside one that shares its route", async () => {
    const [one, other] = sameRoute();
    const { store: from } = open();
    let last = await turn(from, one);
    for (let count = 0; count < 5; count++) last = await turn(from, one, last);
    const record = await from.index.exportSession(NOBODY, one);
    expect(record?.turns.map(({ turn }) => turn.ordinal)).toEqual([1, 2, 3, 4, 5, 6]);
    if (record === undefined) return;
    const contents = record.turns.map((each) => ({
      ...each,
      content: each.content && { ...fullContent(stateAfter(undefined, one, "")), ...each.content, ...each.turn.state },
    })) as never;
    for (const neighbour of [undefined, other]) {
      const { store: to } = open();
      if (neighbour !== undefined) await turn(to, neighbour);
      expect(await to.index.importSession(NOBODY, { ...record, turns: contents })).toEqual({ type: "imported" });
      expect(await to.index.exportSession(NOBODY, one)).toEqual(record);
      expect(await to.index.importSession(NOBODY, { ...record, turns: contents })).toEqual({ type: "conflict" });
      const { chain } = await begun(to, sendRequest(one));
      expect(loadState(chain)).toEqual(last.content.value);
      if (neighbour !== undefined) expect((await to.index.getSession(NOBODY, neighbour))?.headId).toBeDefined();
    }
  });
});

/** Two ids with the same route: about one in 77,000 pairs of so many has. */
function sameRoute(): [string, string] {
  const seen = new Map<string, string>();
  for (let number = 0; ; number++) {
    const id = `session ${number}`;
    const route = createHash("sha256").update(id).digest("hex").slice(0, 8);
    const other = seen.get(route);
    if (other !== undefined) return [other, id];
    seen.set(route, id);
  }
}

async function commandStats(on: Client): Promise<ReadonlyMap<string, number>> {
  const stats = await on.info("commandstats");
  return new Map(
    [...stats.matchAll(/cmdstat_([\w|]+):calls=(\d+)/g)].map(([, name, calls]) => [name ?? "", Number(calls)]),
  );
}
