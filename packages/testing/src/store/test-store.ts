import type { Store } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { storeContract } from "./contract/store-contract.ts";
import type { Capability, ContractTest } from "./contract-test.ts";
import type { StoreKit } from "./kit/store-kit.ts";
import { batch } from "./kit/test-outcome.ts";
import { openStore, type StoreSource } from "./open-store.ts";
import { testRandomCommands } from "./random/test-random-commands.ts";

/** The parts of a store that are optional in the port. */
export type StorePart = "events" | "hints" | "index";

export interface TestStoreOptions<Kind extends Store = Store> extends StoreSource<Kind> {
  /** Names the suite. */
  readonly name: string;
  /**
   * The optional parts that the store has. What is not listed must be absent, and is tested to be.
   *
   * @default all three
   */
  readonly capabilities?: readonly StorePart[];
  /** How many random sequences of up to 40 commands are compared with the reference. @default 200 */
  readonly randomRuns?: number;
}

const PARTS: readonly StorePart[] = ["events", "hints", "index"];

/** Registers the whole contract of the store port as vitest tests, each on a store of its own. */
export function testStore<Kind extends Store>(options: TestStoreOptions<Kind>): void {
  const { name, capabilities = PARTS, randomRuns = 200, reopen } = options;
  const has: ReadonlySet<Capability> = new Set([...capabilities, ...(reopen === undefined ? [] : ["reopen" as const])]);

  describe(`store contract: ${name}`, () => {
    const tests = storeContract.filter(({ needs }) => needs.every((capability) => has.has(capability)));
    for (const area of new Set(tests.map((test) => test.area))) {
      describe(area, () => {
        for (const test of tests.filter((each) => each.area === area)) {
          it(test.name, { timeout: test.timeoutMs }, () => runContractTest(options, test));
        }
      });
    }

    describe("parts", () => {
      for (const part of PARTS) registerPart(options, part, has.has(part));
      it("reports its health, and can be closed twice", () => withStore(options, testHealth));
      if (!has.has("events")) {
        it("ignores batches of events, its lastSeq staying 0 (it has no events)", () =>
          withStore(options, testIgnoredEvents));
      }
      if (reopen === undefined) {
        it("says that it is not durable (no reopen was given, so nothing outlives it)", () =>
          withStore(options, testNotDurable));
      }
    });

    it(`agrees with the reference over ${randomRuns} random sequences of commands`, { timeout: 120_000 }, () =>
      testRandomCommands({ source: options, runs: randomRuns }),
    );
  });
}

/** Runs one sentence of the contract on a store of its own. Rejects when the store breaks it. */
export function runContractTest<Kind extends Store>(source: StoreSource<Kind>, test: ContractTest): Promise<void> {
  return withStore(source, test.run);
}

function registerPart<Kind extends Store>(source: StoreSource<Kind>, part: StorePart, isThere: boolean): void {
  const name = isThere ? `has "${part}"` : `has no "${part}" (declared absent, so its tests do not apply)`;
  it(name, () =>
    withStore(source, async ({ store }) => {
      expect(store[part] !== undefined, part).toBe(isThere);
    }),
  );
}

async function withStore<Kind extends Store>(
  source: StoreSource<Kind>,
  use: (kit: StoreKit) => Promise<void>,
): Promise<void> {
  const { kit, destroy } = await openStore(source);
  try {
    await use(kit);
  } finally {
    await destroy();
  }
}

async function testHealth({ store }: StoreKit): Promise<void> {
  const health = await store.health();
  expect(health.durable).toBeTypeOf("boolean");
  expect(health.warnings.every((warning) => typeof warning === "string")).toBe(true);
  expect(store.name).not.toBe("");
  await store.close();
  await store.close();
}

async function testNotDurable({ store }: StoreKit): Promise<void> {
  expect((await store.health()).durable).toBe(false);
}

async function testIgnoredEvents(kit: StoreKit): Promise<void> {
  const { lease, turn } = await kit.begun({ sessionId: kit.newSession(), events: batch(1, "a", "b") });
  expect(turn.lastSeq).toBe(0);
  const settled = await kit.settle(lease, { status: "completed", events: batch(3, "c") });
  expect(settled).toMatchObject({ ok: true, turn: { lastSeq: 0 } });
}
