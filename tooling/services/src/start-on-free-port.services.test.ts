import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { freePort } from "./free-port.ts";
import { type Keeper, startKeeper } from "./keep.ts";
import { thisMachine } from "./machine.ts";
import { POSTGRES, startPostgres } from "./postgres.ts";
import { REDIS, startRedis } from "./redis.ts";
import { resolveService, type WantedService } from "./resolve-service.ts";

// The provided servers hold the port that the others are told to take first: servers of the same kind, which answer.
describe.skipIf(process.env.POSTGRES_URL || process.env.REDIS_URL)(
  "a port that was taken in the meantime (skipped if POSTGRES_URL or REDIS_URL is set)",
  () => {
    let keeper: Keeper;
    let asked: string[];
    beforeEach(async () => {
      keeper = await startKeeper();
      asked = [];
    });
    afterEach(() => keeper.stop());

    it("is not mistaken for Postgres's own", async () => {
      const taken = inject("postgresUrl");
      const url = await startPostgres({ keeper, initdb: await binary(POSTGRES), nextPort: portsAfter(taken) });
      expect(new URL(url).port).toBe(asked.at(-1));
      expect(asked).toHaveLength(2);
    });

    it("is not mistaken for Redis's own", async () => {
      const taken = inject("redisUrl");
      const url = await startRedis({ keeper, server: await binary(REDIS), nextPort: portsAfter(taken) });
      expect(new URL(url).port).toBe(asked.at(-1));
      expect(asked).toHaveLength(2);
    });

    it("is not mistaken for that of a Redis which is slow to find out", async () => {
      const slow = join(keeper.folder, "slow-redis");
      writeFileSync(slow, "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
      const start = startRedis({ keeper, server: slow, nextPort: portsAfter(inject("redisUrl")), deadlineMs: 500 });
      await expect(start).rejects.toThrow(`another Redis answers on port ${asked[0]}`);
    });

    /** The port of `url`, then free ones. */
    function portsAfter(url: string): () => Promise<number> {
      return async () => {
        const port = asked.length === 0 ? Number(new URL(url).port) : await freePort();
        asked.push(String(port));
        return port;
      };
    }
  },
);

async function binary(wanted: WantedService): Promise<string> {
  const found = await resolveService(
    wanted,
    thisMachine(process.env, () => {}),
  );
  if (found.type === "given") throw new Error(`${wanted.variable} is set, so there is no program to start.`);
  return found.file;
}
