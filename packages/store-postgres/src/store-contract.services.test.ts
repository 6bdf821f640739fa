import { testStore } from "@agents/testing/store";
import type {} from "@tooling/services";
import { afterAll, beforeAll, inject } from "vitest";
import { makeTestSchema, type TestSchema } from "../test/test-schema.ts";
import type { PostgresStore } from "./index.ts";

let schema: TestSchema;
beforeAll(async () => {
  schema = await makeTestSchema(inject("postgresUrl"));
});
afterAll(() => schema.drop());

testStore<PostgresStore>({
  name: "postgres",
  // Each command is a dozen round trips, twice a read of everything: as many as a busy machine does in a minute.
  randomRuns: 100,
  async create() {
    await schema.clear();
    return schema.store();
  },
  reopen: () => schema.store(),
  destroy: (store) => store.close(),
  advance: (ms) => schema.advance(ms),
});
