import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";
import { createFileStore } from "@agents/store-file";
import { createMemoryStore } from "@agents/store-memory";
import { createPostgresStore } from "@agents/store-postgres";
import { createRedisStore } from "@agents/store-redis";

/** Where the servers are. */
export interface Servers {
  readonly postgresUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
}

/** By the name that the command takes. Each call makes an empty store, which removes its data when it is closed. */
export const STORES: Readonly<Record<string, (servers: Servers) => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  file: async () => {
    const directory = mkdtempSync(join(tmpdir(), "conformance-"));
    const store = createFileStore({ directory, durability: "os" });
    return closing(store, async () => rmSync(directory, { recursive: true, force: true }));
  },
  postgres: async ({ postgresUrl }) => {
    const connectionString = needed("POSTGRES_URL", postgresUrl);
    const store = createPostgresStore({ connectionString, schema: "agents_conformance", scoped: false });
    // The first makes the tables, the others find them: cases differ by their sessions.
    await store.migrate();
    return store;
  },
  redis: async ({ redisUrl }) =>
    createRedisStore({
      url: needed("REDIS_URL", redisUrl),
      prefix: `conformance-${randomUUID()}:`,
      ttlMs: 3_600_000,
      onWarning: () => {},
    }),
};

function closing(store: Store, remove: () => Promise<void>): Store {
  return {
    ...store,
    async close() {
      await store.close();
      await remove();
    },
  };
}

function needed(variable: string, url: string | undefined): string {
  if (url !== undefined && url !== "") return url;
  throw new AgentError("FAILED_PRECONDITION", `${variable} is not set: say where the server is.`);
}
