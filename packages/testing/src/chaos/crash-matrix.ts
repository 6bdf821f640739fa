import { type CrashRow, crashRow, OPERATIONS } from "./contract/crash-contract.ts";
import { openProcessWorld, type ProcessSource } from "./open-process-world.ts";

/**
 * Kills a process at each step that begin, append and settle reach, in that order, and says what a reader sees afterwards.
 * Rejects where a promise is broken.
 */
export async function crashMatrix<Config>(source: ProcessSource<Config>): Promise<CrashRow[]> {
  const { use, stepsOf, close } = await openProcessWorld(source);
  try {
    const rows: CrashRow[] = [];
    for (const operation of OPERATIONS) {
      for (const step of stepsOf(operation)) rows.push(await use((world) => crashRow(world, operation, step)));
    }
    return rows;
  } finally {
    await close();
  }
}
