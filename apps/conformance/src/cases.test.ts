import { testCases } from "../test/test-cases.ts";
import { STORES } from "./stores.ts";

for (const name of ["memory", "file"]) {
  const create = STORES[name];
  if (create !== undefined) testCases(name, () => create({}));
}
