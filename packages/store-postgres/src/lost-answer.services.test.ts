import type {} from "@tooling/services";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { beginRequest, begun, CALLER, settleRequest, turn } from "../test/drive.ts";
import { startProxy, type TestProxy } from "../test/proxy.ts";
import { makeTestSchema, type TestSchema } from "../test/test-schema.ts";
import type { PostgresStore } from "./index.ts";

let schema: TestSchema;
let proxy: TestProxy;
let store: PostgresStore;

beforeAll(async () => {
  schema = await makeTestSchema(inject("postgresUrl"));
});
afterAll(() => schema.drop());
beforeEach(async () => {
  await schema.clear();
  proxy = await startProxy(inject("postgresUrl"));
  store = schema.store({ connectionString: proxy.url, notifications: "off", poolSize: 2 });
});
afterEach(async () => {
  await store.close();
  await proxy.close();
});

const AWAY = { status: "UNAVAILABLE" };

describe("a connection that is cut after the commit and before the answer", () => {
  it("begin: the repeat is answered as the first time, with the lease, and there is one row", async () => {
    const request = beginRequest("s");
    await warm();
    const lost = proxy.loseAnswerTo(request.snapshotId);
    await expect(store.turns.begin(CALLER, request)).rejects.toMatchObject(AWAY);
    await lost;
    const again = await store.turns.begin(CALLER, request);
    expect(again).toMatchObject({
      type: "begun",
      lease: { epoch: 1 },
      turn: { status: "pending", ordinal: 1, lastSeq: 1 },
    });
    expect(await store.turns.begin(CALLER, request)).toEqual(again);
  });

  it("settle: the repeat is answered with the row, and its events are there once", async () => {
    const { lease } = await begun(store, "s");
    const lost = proxy.loseAnswerTo('"done"');
    await expect(store.turns.settle(CALLER, lease, settleRequest())).rejects.toMatchObject(AWAY);
    await lost;
    const again = await store.turns.settle(CALLER, lease, settleRequest());
    expect(again).toMatchObject({ ok: true, turn: { status: "completed", result: '"done"', lastSeq: 2, version: 2 } });
    expect(await eventsOf(lease.snapshotId)).toHaveLength(2);
  });

  it("append: the repeat is answered ok, and its events are there once", async () => {
    const { lease } = await begun(store, "s");
    const request = { batch: { firstSeq: 2, events: ['"appended"'] }, leaseMs: 60_000 };
    const lost = proxy.loseAnswerTo("appended");
    await expect(store.events.append(CALLER, lease, request)).rejects.toMatchObject(AWAY);
    await lost;
    expect(await store.events.append(CALLER, lease, request)).toMatchObject({ ok: true, turn: { lastSeq: 2 } });
    expect(await eventsOf(lease.snapshotId)).toEqual(['{"type":"started"}', '"appended"']);
  });

  it("claim and abort: the repeat changes nothing more", async () => {
    const { lease } = await begun(store, "s");
    await schema.advance(61_000);
    const claim = { writer: "claimer", leaseMs: 60_000, known: [] };
    const lostClaim = proxy.loseAnswerTo("claimer");
    await expect(store.turns.claim(CALLER, lease.snapshotId, claim)).rejects.toMatchObject(AWAY);
    await lostClaim;
    expect(await store.turns.claim(CALLER, lease.snapshotId, claim)).toMatchObject({
      type: "claimed",
      lease: { epoch: 2 },
    });
    const stale = { outcome: { status: "aborted", result: '"stop it"', events: [] }, heads: [] } as const;
    const lostAbort = proxy.loseAnswerTo('"stop it"');
    await expect(store.turns.requestAbort(CALLER, lease.snapshotId, stale)).rejects.toMatchObject(AWAY);
    await lostAbort;
    const aborted = await store.turns.requestAbort(CALLER, lease.snapshotId, stale);
    expect(aborted?.before).toEqual(aborted?.after);
    expect(aborted?.after).toMatchObject({ status: "aborting", epoch: 2 });
  });

  it("importSession: nothing is half there", async () => {
    await turn(store, "s");
    const record = await store.index.exportSession(CALLER, "s");
    if (record === undefined) throw new Error("nothing was exported");
    await store.index.deleteSession(CALLER, "s");
    const whole = { ...record, turns: record.turns.map((each) => ({ ...each, content: contentOf(each) })) };
    const cut = proxy.loseAnswerTo("insert into");
    const imported = store.index.importSession(CALLER, whole as Parameters<typeof store.index.importSession>[1]);
    await expect(imported).rejects.toMatchObject(AWAY);
    await cut;
    expect(await store.index.getSession(CALLER, "s")).toBeUndefined();
  });
});

describe("a server that is away", () => {
  it("answers UNAVAILABLE while connections are cut or refused, and goes on when it is back", async () => {
    const { lease } = await begun(store, "s");
    proxy.refuse(true);
    proxy.cut();
    await expect(store.turns.read(CALLER, lease, "meta")).rejects.toMatchObject(AWAY);
    await expect(store.health()).rejects.toMatchObject(AWAY);
    proxy.refuse(false);
    expect((await store.turns.settle(CALLER, lease, settleRequest())).ok).toBe(true);
  });

  it("tells neither the password nor the driver's words", async () => {
    const url = new URL(proxy.url);
    url.password = "s3cret";
    url.port = "1";
    const nowhere = schema.store({ connectionString: url.href, connectTimeoutMs: 2_000 });
    const failed = await begun(nowhere, "s").catch((error: Error) => error);
    expect(failed).toMatchObject(AWAY);
    expect(`${String(failed)} ${JSON.stringify(failed)}`).not.toContain("s3cret");
  });
});

describe("round trips", () => {
  it("takes one for begin, one for settle and one for each append", async () => {
    await warm();
    const count = async (work: () => Promise<unknown>) => {
      const before = proxy.roundTrips();
      await work();
      return proxy.roundTrips() - before;
    };
    const request = beginRequest("s");
    const lease = { snapshotId: request.snapshotId, sessionId: "s", epoch: 1 };
    expect(await count(() => store.turns.begin(CALLER, request)), "a new session").toBe(1);
    const batch = { firstSeq: 2, events: ['"a"', '"b"'] };
    expect(await count(() => store.events.append(CALLER, lease, { batch, leaseMs: 60_000 }))).toBe(1);
    expect(await count(() => store.turns.settle(CALLER, lease, settleRequest('"done"', 4)))).toBe(1);
    expect(await count(() => begun(store, "s")), "with the state to start from").toBe(1);
    const leases = Array.from({ length: 50 }, () => ({ caller: CALLER, lease }));
    expect(await count(() => store.turns.heartbeat(leases, 60_000)), "fifty leases").toBe(1);
  });
});

/** Connects and looks at the schema, so that what follows is the call alone. */
async function warm(): Promise<void> {
  await store.turns.read(CALLER, { snapshotId: "nobody" }, "meta");
}

async function eventsOf(snapshotId: string): Promise<string[]> {
  const page = await store.events.readEvents(CALLER, snapshotId, { after: { epoch: 0, seq: 0 }, limit: 100 });
  return (page?.events ?? []).map(({ json }) => json);
}

function contentOf({ turn: { state }, content }: { turn: { state?: object }; content?: object }): object {
  return { ...state, ...content };
}
