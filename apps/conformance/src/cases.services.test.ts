import "@tooling/services";
import { inject } from "vitest";
import { STORES } from "./stores.ts";
import { testCases } from "../test/test-cases.ts";

const servers = { postgresUrl: inject("postgresUrl"), redisUrl: inject("redisUrl") };

for (const name of ["postgres", "redis"]) {
  const create = STORES[name];
  if (create !== undefined) testCases(name, () => create(servers));
}
