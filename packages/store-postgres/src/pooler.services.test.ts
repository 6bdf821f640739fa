import type {} from "@tooling/services";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { begun, CALLER, settleRequest, turn } from "../test/drive.ts";
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from "../test/pgbouncer.ts";
import { makeTestSchema, type TestSchema } from "../test/test-schema.ts";
import { createPostgresStore } from "./index.ts";

describe.skipIf(!hasPgbouncer)(
  "behind pgbouncer in transaction mode (skipped where pgbouncer is not installed)",
  () => {
    let schema: TestSchema;
    let pooler: Pgbouncer;
    beforeAll(async () => {
      schema = await makeTestSchema(inject("postgresUrl"));
      pooler = await startPgbouncer(inject("postgresUrl"));
    });
    afterAll(async () => {
      await schema.drop();
      await pooler.stop();
    });

    it("runs many turns at once over two connections, and gets hints by polling", async () => {
      const store = schema.store({
        connectionString: pooler.url,
        pooler: "transaction",
        poolSize: 20,
        pollIntervalMs: 20,
      });
      const { lease } = await begun(store, "watched");
      let hints = 0;
      const stop = await store.hints.watch(CALLER, lease.snapshotId, () => hints++);
      await Promise.all(Array.from({ length: 60 }, (_, index) => turn(store, `s${index % 20} ${index}`)));
      const direct = schema.store();
      await direct.turns.settle(CALLER, lease, settleRequest());
      await expect.poll(() => hints).toBeGreaterThan(0);
      await stop();
      const page = await store.index.listSessions(CALLER, { limit: 100 });
      expect(page.items).toHaveLength(61);
      const record = await store.index.exportSession(CALLER, "watched");
      expect(record?.turns[0]?.turn.status).toBe("completed");
      expect((await store.health()).warnings.join()).not.toMatch(/listen/);
    });

    it("migrates: lock and limits last as long as the transaction", async () => {
      const name = `${schema.schema}_two`;
      const stores = [1, 2, 3].map(() =>
        createPostgresStore({ connectionString: pooler.url, pooler: "transaction", schema: name }),
      );
      const reports = await Promise.all(stores.map((store) => store.migrate()));
      expect(reports.filter(({ from }) => from === 0)).toHaveLength(1);
      await Promise.all(stores.map((store) => store.close()));
      await schema.client.query(`drop schema "${name}" cascade`);
    });

    it("needs the option: prepared statements and settings of a connection are no one's there", async () => {
      const store = schema.store({ connectionString: pooler.url });
      await expect(turn(store, "s")).rejects.toMatchObject({ name: "AgentError" });
    });
  },
);
