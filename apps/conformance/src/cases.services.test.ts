import "@tooling/services";
import { inject } from "vitest";
import { testCases } from "../test/test-cases.ts";
import { STORES } from "./stores.ts";

const servers = { postgresUrl: inject("postgresUrl"), redisUrl: inject("redisUrl") };

for (const name of ["postgres", "redis"]) {
  const create = STORES[name];
  if (create !== undefined) testCases(name, () => create(servers));
}
