import { randomUUID } from "node:crypto";
import "@tooling/services";
import { testStoreProcesses } from "@agents/testing/chaos";
import { inject } from "vitest";
import { createPostgresStore, POSTGRES_STORE_STEPS } from "./index.ts";

testStoreProcesses({
  name: "postgres",
  store: new URL("../test/crash-store.ts", import.meta.url),
  execArgv: ["--conditions=@agents/source", "--import", "tsx"],
  async config() {
    const config = { connectionString: inject("postgresUrl"), schema: `crash_${randomUUID().slice(0, 8)}` };
    const store = createPostgresStore(config);
    await store.migrate();
    await store.close();
    return config;
  },
  steps: [...POSTGRES_STORE_STEPS],
});
