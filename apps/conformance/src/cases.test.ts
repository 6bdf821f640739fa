import { readdirSync, readFileSync } from "node:fs";
import { formatResult, parseCaseFile, runCase } from "@agents/testing/conformance";
import { describe, expect, it } from "vitest";
import { createCoreHarness } from "./core-harness.ts";
import { STORES } from "./stores.ts";

const CASES = new URL("../cases/", import.meta.url);

describe.each(Object.entries(STORES))("on the store %s", (_name, createStore) => {
  describe.each(readdirSync(CASES))("%s", (file) => {
    const harness = createCoreHarness(createStore);
    for (const test of parseCaseFile(readFileSync(new URL(file, CASES), "utf8"))) {
      it(test.name, async () => {
        const result = await runCase(harness, test);
        expect(result.failure, formatResult(result)).toBeUndefined();
      });
    }
  });
});
