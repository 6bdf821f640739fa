import { type OwnPostgres, startOwnPostgres } from "@tooling/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { begun, CALLER, settleRequest, turn } from "../test/drive.ts";
import { createPostgresStore, type PostgresStore } from "./index.ts";

let server: OwnPostgres;
let store: PostgresStore;

beforeAll(async () => {
  // As durable as Postgres is by default: what it answers survives.
  server = await startOwnPostgres();
  store = createPostgresStore({ connectionString: server.url, pollIntervalMs: 20 });
  await store.migrate();
});
afterAll(async () => {
  await store.close();
  await server.stop();
});

it("says that the server is durable", async () => {
  expect(await store.health()).toEqual({ durable: true, warnings: [] });
});

it.each(["fast", "immediate"] as const)(
  "keeps every turn that was answered when the server restarts (%s) in the middle, and goes on",
  async (how) => {
    const answered: string[] = [];
    let isOver = false;
    // Each session takes turn after turn, and says what it was answered.
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; !isOver; number++) {
        const sessionId = `${how} ${writer} ${number}`;
        try {
          const { snapshotId } = await turn(store, sessionId);
          answered.push(snapshotId);
        } catch (error) {
          expect(error).toMatchObject({ status: "UNAVAILABLE" });
          await new Promise(setImmediate);
        }
      }
    });
    const inFlight = await begun(store, `${how} in flight`);
    let hints = 0;
    const stop = await store.hints.watch(CALLER, inFlight.lease.snapshotId, () => hints++);
    await expect.poll(() => answered.length).toBeGreaterThan(50);
    await server.restart(how);
    const before = answered.length;
    await expect.poll(() => answered.length, { timeout: 20_000 }).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(writers);

    for (const snapshotId of answered) {
      const read = await store.turns.read(CALLER, { snapshotId }, { known: [] });
      expect(read?.turn).toMatchObject({ status: "completed", lastSeq: 2 });
      expect(read?.chain?.rows).toHaveLength(1);
    }
    expect(await store.turns.settle(CALLER, inFlight.lease, settleRequest())).toMatchObject({ ok: true });
    await expect.poll(() => hints, { timeout: 20_000 }).toBeGreaterThan(0);
    await stop();
  },
);
