import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StorePart } from "../store/test-store.ts";
import { type CrashRow, OPERATIONS } from "./contract/crash-contract.ts";
import { processContract } from "./contract/process-contract.ts";
import type { ProcessTest } from "./contract/process-world.ts";
import { type OpenProcessWorld, openProcessWorld, type ProcessSource } from "./open-process-world.ts";

export interface TestStoreProcessesOptions<Config = unknown> extends ProcessSource<Config> {
  /** Names the suite. */
  readonly name: string;
  /** Every step that the store reports to `onStep` in an undisturbed begin, append or settle. */
  readonly steps: readonly string[];
  /** The optional parts that the store has; sentences about others are not tested. @default all three */
  readonly capabilities?: readonly StorePart[];
  /** Gets the crash matrix that the run showed, to compare it with what a README says. Throws where they differ. */
  readonly onMatrix?: (rows: readonly CrashRow[]) => void | Promise<void>;
}

/** Registers what the store promises to processes as vitest tests, with real processes that are killed and stopped. */
export function testStoreProcesses<Config>(options: TestStoreProcessesOptions<Config>): void {
  const { name, steps, capabilities = ["events", "hints", "index"], onMatrix } = options;
  const rows: CrashRow[] = [];
  describe(`processes: ${name}`, () => {
    let open: OpenProcessWorld | undefined;
    beforeAll(async () => {
      open = await openProcessWorld(options);
    }, 30_000);
    afterAll(async () => {
      await open?.close();
    }, 30_000);

    const tests = processContract(steps, (row) => rows.push(row));
    for (const test of tests.filter(({ needs }) => needs.every((part) => capabilities.includes(part)))) {
      // Most of what a crash test does is wait, for processes and for leases: those of several steps wait together.
      const register = test.waits ? it.concurrent : it;
      register(test.name, { timeout: test.timeoutMs }, () => (open as OpenProcessWorld).use(test.run));
    }
    if (onMatrix !== undefined) {
      it("shows the crash matrix that it documents", () => onMatrix(inOrder(rows, open as OpenProcessWorld)));
    }
  });
}

/** Runs one sentence over data of its own. Rejects when the store breaks it. */
export async function runProcessTest<Config>(source: ProcessSource<Config>, test: ProcessTest): Promise<void> {
  const open = await openProcessWorld(source);
  try {
    await open.use(test.run);
  } finally {
    await open.close();
  }
}

function inOrder(rows: readonly CrashRow[], { stepsOf }: OpenProcessWorld): CrashRow[] {
  const wanted = OPERATIONS.flatMap((operation) => stepsOf(operation).map((step) => ({ operation, step })));
  return wanted.map(({ operation, step }) => {
    const row = rows.find((each) => each.operation === operation && each.step === step);
    if (row === undefined) expect.fail(`The matrix lacks ${operation} at ${step}: its test failed or did not run.`);
    return row;
  });
}
