import type {} from "@tooling/services";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { begun, CALLER, settleRequest, turn } from "../test/drive.ts";
import { makeTestSchema, type TestSchema } from "../test/test-schema.ts";

let schema: TestSchema;
beforeAll(async () => {
  schema = await makeTestSchema(inject("postgresUrl"));
});
afterAll(() => schema.drop());
beforeEach(() => schema.clear());

it("runs in bounded batches beside live traffic, which never fails and loses nothing it needs", async () => {
  const store = schema.store();
  for (let index = 0; index < 60; index++) await turn(store, "s");
  let isPruned = false;
  const traffic = (async () => {
    let turns = 0;
    while (!isPruned) {
      const { lease, chain } = await begun(store, "s");
      expect(chain.rows).toHaveLength(1);
      expect((await store.turns.settle(CALLER, lease, settleRequest())).ok).toBe(true);
      turns++;
    }
    return turns;
  })();
  const steps: number[] = [];
  for (let more = true; more; ) {
    const step = await store.index.prune(CALLER, "s", { keepLast: 5 }, 7);
    steps.push(step.dropped);
    more = step.more;
  }
  isPruned = true;
  expect(await traffic).toBeGreaterThan(0);
  expect(Math.max(...steps)).toBeLessThanOrEqual(7);
  expect(steps.reduce((sum, dropped) => sum + dropped, 0)).toBeGreaterThanOrEqual(55);
});

it("leaves no row of an event log whose turn is gone, and a deleted session leaves nothing in any table", async () => {
  const store = schema.store();
  for (let index = 0; index < 6; index++) await turn(store, "s");
  await turn(store, "other");
  await store.index.prune(CALLER, "s", { keepLast: 2 }, 100);
  const { rows } = await schema.client.query(
    `select count(*) from ${schema.quoted}.event_batch b where not exists (select from ${schema.quoted}.turn t where t.id = b.turn_id)`,
  );
  expect(Number(rows[0].count)).toBe(0);
  await store.index.deleteSession(CALLER, "s");
  for (const [table, left] of [
    ["session", 1],
    ["turn", 1],
    ["event_batch", 2],
  ] as const) {
    const counted = await schema.client.query(`select count(*) from ${schema.quoted}.${table}`);
    expect(Number(counted.rows[0].count), table).toBe(left);
  }
});

it("refuses a rule that says nothing, or nonsense", async () => {
  const { index } = schema.store();
  for (const rule of [{}, { keepLast: 0 }, { keepLast: 1.5 }, { olderThanMs: -1 }, { olderThanMs: Number.NaN }]) {
    await expect(index.prune(CALLER, "s", rule, 10)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
  }
});
