import type { Store } from "@agents/schema/port";
import { createFileStore } from "@agents/store-file";
import { createMemoryStore } from "@agents/store-memory";
import { createPostgresStore } from "@agents/store-postgres";
import { createRedisStore } from "@agents/store-redis";
import type { Settings, StoreName } from "./read-settings.ts";

/** The stores that the app can run on: changing one is changing one line. */
const OPEN: Readonly<Record<StoreName, (settings: Settings) => Promise<Store>>> = {
  file: async ({ directory }) => createFileStore({ directory }),
  memory: async () => createMemoryStore(),
  postgres: async ({ postgresUrl }) => {
    const store = createPostgresStore({ connectionString: postgresUrl as string, schema: "agents_sample" });
    await store.migrate();
    return store;
  },
  redis: async ({ redisUrl }) => createRedisStore({ url: redisUrl as string, prefix: "agents-sample:" }),
};

export function openStore(settings: Settings): Promise<Store> {
  return OPEN[settings.store](settings);
}
