import { readdirSync, readFileSync } from "node:fs";
import type { Store } from "@agents/schema/port";
import { type ConformanceCase, formatResult, type Harness, parseCaseFile, runCase } from "@agents/testing/conformance";
import { describe, expect, it } from "vitest";
import { createCoreHarness } from "../src/core-harness.ts";

const CASES = new URL("../cases/", import.meta.url);

/** Registers every case of the project as a vitest test, on a store of its own. */
export function testCases(store: string, createStore: () => Promise<Store>): void {
  testCasesOf(`on the store ${store}`, createCoreHarness(createStore));
}

/** The same for any way to reach the agents. */
export function testCasesOf(
  what: string,
  harness: Harness,
  applies: (test: ConformanceCase) => boolean = () => true,
): void {
  describe(what, () => {
    describe.each(readdirSync(CASES))("%s", (file) => {
      for (const test of parseCaseFile(readFileSync(new URL(file, CASES), "utf8")).filter(applies)) {
        it(test.name, async () => {
          const result = await runCase(harness, test);
          expect(result.failure, formatResult(result)).toBeUndefined();
        });
      }
    });
  });
}
