import { randomUUID } from "node:crypto";
import { testStore } from "@agents/testing/store";
import { createClient } from "redis";
import { afterAll, inject } from "vitest";
import "@tooling/services";
import { openTestStore, reopenTestStore } from "../test/open-test-store.ts";

const client = createClient({ url: inject("redisUrl") });
await client.connect();
afterAll(() => client.close());

testStore({
  name: "redis",
  create: () => openTestStore({ client, prefix: `test-${randomUUID()}:` }),
  reopen: reopenTestStore,
  advance: (ms, store) => {
    store.clock.skewMs += ms;
  },
});
