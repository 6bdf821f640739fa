import { abortTests } from "./abort-contract.ts";
import { type CrashRow, namedSteps, stepTests } from "./crash-contract.ts";
import { leaseTests } from "./lease-contract.ts";
import type { ProcessTest } from "./process-world.ts";
import { writerTests } from "./writer-contract.ts";

/** Every sentence about processes, for a store that names these steps. */
export function processContract(steps: readonly string[], onRow: (row: CrashRow) => void = () => {}): ProcessTest[] {
  return [
    namedSteps(steps),
    ...steps.flatMap((step) => stepTests(step, onRow)),
    ...leaseTests,
    ...writerTests,
    ...abortTests,
  ];
}
