import type {} from "@tooling/services";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { begun, CALLER, settleRequest } from "../../test/drive.ts";
import { startProxy, type TestProxy } from "../../test/proxy.ts";
import { makeTestSchema, type TestSchema } from "../../test/test-schema.ts";
import type { PostgresStore } from "../index.ts";
import { channelOf } from "./channel.ts";

let schema: TestSchema;
let proxy: TestProxy;
/** Watches by way of the proxy. */
let here: PostgresStore;
/** Changes things, as another process. */
let there: PostgresStore;

beforeAll(async () => {
  schema = await makeTestSchema(inject("postgresUrl"));
});
afterAll(() => schema.drop());
beforeEach(async () => {
  await schema.clear();
  proxy = await startProxy(inject("postgresUrl"));
  here = schema.store({ connectionString: proxy.url, pollIntervalMs: 20 });
  there = schema.store();
});
afterEach(async () => {
  await here.close();
  await there.close();
  await proxy.close();
});

describe("hints from other processes", () => {
  it("come over one listening connection, however much is watched", async () => {
    const turns = [];
    for (let index = 0; index < 20; index++) turns.push(await begun(there, `s${index}`));
    const watches = await Promise.all(turns.map(({ lease }) => watch(lease.snapshotId)));
    expect(await listeners()).toHaveLength(1);
    for (const { lease } of turns) await there.turns.settle(CALLER, lease, settleRequest());
    await expect.poll(() => watches.every(({ count }) => count() > 0)).toBe(true);
    await Promise.all(watches.map(({ stop }) => stop()));
  });

  it("come again after the listening connection was killed, first of all for what was missed", async () => {
    const { lease } = await begun(there, "s");
    const { count, stop } = await watch(lease.snapshotId);
    const [pid] = await listeners();
    await schema.client.query("select pg_terminate_backend($1)", [pid]);
    await expect.poll(async () => (await listeners()).some((other) => other !== pid)).toBe(true);
    await expect.poll(count, { message: "whoever watches looks again" }).toBeGreaterThan(0);
    const before = count();
    await there.turns.settle(CALLER, lease, settleRequest());
    await expect.poll(count).toBeGreaterThan(before);
    await stop();
  });

  it("come by polling while no connection can be had, and health says so", async () => {
    const { lease } = await begun(there, "s");
    const { count, stop } = await watch(lease.snapshotId);
    await schema.client.query("select pg_terminate_backend($1)", [(await listeners())[0]]);
    // Only LISTEN is refused: what polls gets through.
    const refused = proxy.loseAnswerTo("listen agents_");
    await refused;
    await expect.poll(count, { message: "the loss" }).toBeGreaterThan(0);
    const before = count();
    await there.turns.settle(CALLER, lease, settleRequest());
    await expect.poll(count).toBeGreaterThan(before);
    await stop();
  });

  it("come by polling where notifications are off, within the interval", async () => {
    const polling = schema.store({ notifications: "off", pollIntervalMs: 10 });
    const { lease } = await begun(there, "s");
    let hints = 0;
    const stop = await polling.hints.watch(CALLER, lease.snapshotId, () => hints++);
    expect(await listeners()).toEqual([]);
    await there.turns.requestAbort(CALLER, lease.snapshotId, STOP);
    await expect.poll(() => hints).toBe(1);
    await there.turns.settle(CALLER, lease, settleRequest());
    await expect.poll(() => hints).toBe(2);
    await there.index.deleteSession(CALLER, "s");
    await expect.poll(() => hints).toBe(3);
    await stop();
  });

  it("are gathered for a moment and sent as one notification of tags, which name no tenant", async () => {
    const payloads: string[] = [];
    schema.client.on("notification", ({ payload }) => payloads.push(payload ?? ""));
    await schema.client.query(`listen ${channelOf(schema.schema)}`);
    const sender = schema.store({ hintDelayMs: 200 });
    const caller = { scope: "a tenant's name" };
    await sender.turns.read(caller, { snapshotId: "x" }, "meta");
    await Promise.all(Array.from({ length: 30 }, (_, index) => begun(sender, `s${index}`, caller)));
    await expect.poll(() => payloads.length).toBeGreaterThan(0);
    const tags = payloads.flatMap((payload) => payload.split(":")[1]?.split(",") ?? []);
    expect(payloads.length).toBeLessThan(5);
    expect(tags).toHaveLength(30);
    expect(payloads.join()).not.toMatch(/tenant|00000000/);
    await schema.client.query("unlisten *");
    schema.client.removeAllListeners("notification");
  });

  it("are sent before a store closes", async () => {
    const { lease } = await begun(there, "s");
    const { count, stop } = await watch(lease.snapshotId);
    const slow = schema.store({ hintDelayMs: 60_000 });
    await slow.turns.settle(CALLER, lease, settleRequest());
    await slow.close();
    await expect.poll(count).toBeGreaterThan(0);
    await stop();
  });
});

const STOP = { outcome: { status: "aborted", result: "{}", events: [] }, heads: [] } as const;

async function watch(snapshotId: string): Promise<{ count: () => number; stop: () => Promise<void> }> {
  let hints = 0;
  const stop = await here.hints.watch(CALLER, snapshotId, () => hints++);
  return { count: () => hints, stop };
}

/** The server's processes whose last statement was to listen on the channel of this schema. */
async function listeners(): Promise<number[]> {
  const { rows } = await schema.client.query("select pid from pg_stat_activity where query = $1 order by pid", [
    `listen ${channelOf(schema.schema)}`,
  ]);
  return rows.map(({ pid }) => pid);
}
