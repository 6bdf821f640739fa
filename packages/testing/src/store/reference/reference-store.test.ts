import type { Store } from "@agents/schema/port";
import { describe, it } from "vitest";
import { storeContract } from "../contract/store-contract.ts";
import { testRandomCommands } from "../random/test-random-commands.ts";
import { runContractTest, testStore } from "../test-store.ts";
import { createReferenceStore } from "./reference-store.ts";

testStore({
  name: "reference",
  create: ({ clock }) => createReferenceStore({ clock }),
  reopen: (store) => ({ ...store, close: async () => {} }),
  advance: "clock",
  randomRuns: 20,
});

describe("a store whose clock cannot be moved", () => {
  const create = () => createReferenceStore({ clock: Date });
  for (const test of storeContract.filter(({ area }) => area === "abort" || area === "hints")) {
    it(`${test.area}: ${test.name}`, () => runContractTest({ create }, test));
  }

  it("agrees with the reference over random sequences of commands", () =>
    testRandomCommands({ source: { create }, runs: 20 }));
});

testStore({
  name: "reference without optional parts",
  create({ clock }): Store {
    const { name, turns, health, close } = createReferenceStore({ clock, keepsEvents: false });
    return { name, turns, health, close };
  },
  advance: "clock",
  capabilities: [],
  randomRuns: 20,
});
