import { randomUUID } from "node:crypto";
import "@tooling/services";
import { testStoreProcesses } from "@agents/testing/chaos";
import { inject } from "vitest";
import { REDIS_STORE_STEPS } from "./index.ts";

testStoreProcesses({
  name: "redis",
  store: new URL("../test/crash-store.ts", import.meta.url),
  execArgv: ["--conditions=@agents/source", "--import", "tsx"],
  config: () => ({ url: inject("redisUrl"), prefix: `crash-${randomUUID()}:` }),
  steps: [...REDIS_STORE_STEPS],
});
