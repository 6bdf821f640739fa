import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAnswerDropper } from "../test/answer-dropper.ts";
import { openTestStore } from "../test/open-test-store.ts";
import { type OwnRedis, startOwnRedis } from "../test/own-redis.ts";
import { loadState } from "../test/turn-content.ts";
import { begun, complete, completion, LEASE_MS, NOBODY, sendRequest, turn } from "../test/turn-driver.ts";
import type { RedisStore } from "./create-redis-store.ts";

const AOF = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
const UNAVAILABLE = { status: "UNAVAILABLE" };
const START = { epoch: 0, seq: 0 };

let own: OwnRedis;
beforeAll(async () => {
  own = await startOwnRedis(AOF);
});
afterAll(() => own.stop());

describe("an answer that is lost after the work was done", () => {
  it("of begin, append, claim, abort and settle is given again to who repeats the call", async () => {
    const dropper = await startAnswerDropper(own.port);
    const store = openTestStore({ url: dropper.url, prefix: `${randomUUID()}:` });
    await useEachScript(store);
    const first = await turn(store, "s");

    const lost = async <T>(call: () => Promise<T>): Promise<T> => {
      dropper.dropNext();
      await expect(call()).rejects.toMatchObject(UNAVAILABLE);
      return await untilAnswered(call);
    };
    const request = sendRequest("s", { leaseMs: 1 });
    const { lease, chain, turn: row } = await lost(() => begun(store, request));
    expect(row).toMatchObject({ ordinal: 2, version: 1, lastSeq: 1 });
    expect(loadState(chain)).toEqual(first.content.value);

    const batch = { firstSeq: 2, events: ['"a"', '"b"'] };
    const appended = await lost(() => store.events.append(NOBODY, lease, { batch, leaseMs: 1 }));
    expect(appended).toMatchObject({ ok: true, turn: { lastSeq: 3, version: 2 } });

    const claim = { writer: "w", leaseMs: LEASE_MS, known: [] };
    const claimed = await lost(() => store.turns.claim(NOBODY, lease.snapshotId, claim));
    expect(claimed).toMatchObject({ type: "claimed", lease: { epoch: 2 }, turn: { version: 3 } });

    const stale = { outcome: { status: "aborted", result: "{}", events: [] }, heads: [] } as const;
    const aborted = await lost(() => store.turns.requestAbort(NOBODY, lease.snapshotId, stale));
    expect(aborted?.after).toMatchObject({ status: "aborting", version: 4 });

    const settled = await lost(() => complete(store, { ...lease, epoch: 2 }, completion({}, 4)));
    expect(settled).toMatchObject({ ok: true, turn: { status: "aborted", version: 5, lastSeq: 4 } });
    const log = await store.events.readEvents(NOBODY, lease.snapshotId, { after: START, limit: 9 });
    expect(log?.events.map(({ json }) => json)).toEqual(['"started"', '"a"', '"b"', '"aborted"']);
    await store.close();
    await dropper.stop();
  });
});

describe("a server that is killed in the middle and comes back", () => {
  it("has every turn that was answered, takes up the one in flight, and raises the hints anew", async () => {
    const store = openTestStore({ url: own.url, prefix: `${randomUUID()}:` });
    const first = await turn(store, "s");
    const { lease } = await begun(store, sendRequest("s"));
    let hints = 0;
    await store.hints.watch(NOBODY, lease.snapshotId, () => {
      hints++;
    });
    await own.kill();
    const batch = { firstSeq: 2, events: ['"b"'] };
    const append = () => store.events.append(NOBODY, lease, { batch, leaseMs: LEASE_MS });
    await expect(append()).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.health()).rejects.toMatchObject(UNAVAILABLE);
    await own.start();
    // The server has forgotten the scripts, too.
    expect(await untilAnswered(append)).toMatchObject({ ok: true, turn: { lastSeq: 2 } });
    await expect.poll(() => hints).toBeGreaterThan(0);
    expect((await complete(store, lease, completion({}, 3))).ok).toBe(true);
    const read = await store.turns.read(NOBODY, { snapshotId: first.id }, { known: [] });
    expect(loadState(read?.chain ?? { rows: [] })).toEqual(first.content.value);
    expect((await store.health()).durable).toBe(true);
    await store.close();
  });
});

describe("the scripts", () => {
  it("are sent again after the server forgot them, for one round trip more", async () => {
    const store = openTestStore({ url: own.url, prefix: `${randomUUID()}:` });
    const client = await own.client();
    const { lease } = await begun(store, sendRequest("s"));
    await client.sendCommand(["SCRIPT", "FLUSH"]);
    expect((await complete(store, lease)).ok).toBe(true);
    await client.sendCommand(["CONFIG", "RESETSTAT"]);
    await complete(store, lease);
    expect(await client.info("commandstats")).not.toContain("cmdstat_eval:");
    await store.close();
  });
});

describe("the connection for hints", () => {
  it("is made again after it was cut: everybody looks again, and hints flow", async () => {
    const store = openTestStore({ url: own.url, prefix: `${randomUUID()}:` });
    const client = await own.client();
    const { lease } = await begun(store, sendRequest("s"));
    let hints = 0;
    await store.hints.watch(NOBODY, lease.snapshotId, () => {
      hints++;
    });
    await client.sendCommand(["CLIENT", "KILL", "TYPE", "pubsub"]);
    await expect.poll(() => hints).toBeGreaterThan(0);
    const before = hints;
    await complete(store, lease);
    await expect.poll(() => hints).toBeGreaterThan(before);
    await store.close();
  });
});

/** The server knows them all from here on: what is lost is then the answer to the work, and not that a script is missing. */
async function useEachScript(store: RedisStore): Promise<void> {
  const { lease } = await begun(store, sendRequest("other"));
  await store.events.append(NOBODY, lease, { batch: { firstSeq: 2, events: ['"x"'] }, leaseMs: LEASE_MS });
  await store.turns.claim(NOBODY, lease.snapshotId, { writer: "w", leaseMs: LEASE_MS, known: [] });
  const outcome = { status: "aborted", result: "{}", events: [] } as const;
  await store.turns.requestAbort(NOBODY, lease.snapshotId, { outcome, heads: [] });
  await complete(store, lease, completion({}, 3));
}

/** As the runtime does: until there is an answer. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      expect(error).toMatchObject(UNAVAILABLE);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
