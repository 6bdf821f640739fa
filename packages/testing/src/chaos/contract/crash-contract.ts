import { expect } from "vitest";
import type { CrashOperation, ProcessTest, ProcessWorld } from "./process-world.ts";
import { type CrashSight, runCrash } from "./run-crash.ts";
import { runFreeze } from "./run-freeze.ts";

export const OPERATIONS: readonly CrashOperation[] = ["begin", "append", "settle"];

/** One line of the crash matrix. */
export interface CrashRow {
  readonly operation: CrashOperation | (string & {});
  readonly step: string;
  /** "the worker", or in lines of your own whatever else you ended. */
  readonly killed: string;
  readonly seen: string;
}

/** What is seen of each operation afterwards. */
const SEEN: Readonly<Record<CrashOperation, Readonly<Record<CrashSight, string>>>> = {
  begin: {
    "not done": "nothing of the turn",
    done: "the turn, pending, with its first events; expired once its lease has run out",
  },
  append: {
    "not done": "the turn without the batch; expired once its lease has run out",
    done: "the turn with the whole batch; expired once its lease has run out",
  },
  settle: {
    "not done": "the turn, pending; expired once its lease has run out",
    done: "the turn, completed, with its state, its events and the session's head",
  },
};

/** The sentences for one step. `onRow` gets the lines of the matrix that their runs showed. */
export function stepTests(step: string, onRow: (row: CrashRow) => void): ProcessTest[] {
  const reached = (world: ProcessWorld) => OPERATIONS.filter((operation) => world.stepsOf(operation).includes(step));
  return [
    {
      name: `loses nothing that was answered, and tears nothing, when it is killed at "${step}"`,
      timeoutMs: 60_000,
      needs: [],
      waits: true,
      async run(world) {
        for (const row of await Promise.all(reached(world).map((operation) => crashRow(world, operation, step)))) {
          onRow(row);
        }
      },
    },
    {
      name: `is held up by nobody, and refuses what comes too late, when a process is stopped at "${step}"`,
      timeoutMs: 60_000,
      needs: [],
      waits: true,
      async run(world) {
        await Promise.all(reached(world).map((operation) => runFreeze(world, { operation, step })));
      },
    },
  ];
}

export function namedSteps(steps: readonly string[]): ProcessTest {
  return {
    name: "reaches every step that it names in begin, append or settle, and names every step that it reaches",
    timeoutMs: 30_000,
    needs: [],
    async run(world) {
      const reached = new Set(OPERATIONS.flatMap((operation) => world.stepsOf(operation)));
      expect([...reached].toSorted()).toEqual([...new Set(steps)].toSorted());
    },
  };
}

/** Both ways to go on, because a repeat can mend what the session alone would stumble over. */
export async function crashRow(world: ProcessWorld, operation: CrashOperation, step: string): Promise<CrashRow> {
  const ways = (["repeat", "goOn"] as const).map((afterwards) => runCrash(world, { operation, step, afterwards }));
  const seen = new Set((await Promise.all(ways)).map((sight) => SEEN[operation][sight]));
  return { operation, step, killed: "the worker", seen: [...seen].toSorted().join(", or ") };
}
