import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Comparison } from "@tooling/bench";
import { openBench, question, TURN_BYTES } from "./agent.ts";

export interface Throughput {
  readonly comparisons: readonly Comparison[];
  close(): Promise<void>;
}

/**
 * Turns of so many sessions at once, against the least that a store of files without a journal would do: append the delta,
 * then write a new head aside and rename it, each waiting for the disk.
 */
export function throughput(sessions: number): Throughput {
  const { agent, close } = openBench();
  const directory = mkdtempSync(join(tmpdir(), "store-file-bench-"));
  const names = Array.from({ length: sessions }, (_, index) => `session ${index}`);
  const files = names.map((_, index) => openSync(join(directory, String(index)), "a"));
  const head = Buffer.alloc(HEAD_BYTES, "x");
  const delta = Buffer.alloc(TURN_BYTES, "x");
  return {
    comparisons: [
      {
        name: `turns of ${sessions} sessions at once, on the disk / append and rename, on the disk`,
        ours: () => Promise.all(names.map((sessionId) => agent.runText(question(), { sessionId }))),
        baseline: () =>
          Promise.all(
            files.map(async (fd, index) => {
              writeSync(fd, delta);
              await sync(fd);
              const aside = join(directory, `${index}.aside`);
              await writeFile(aside, head, { flush: true });
              await rename(aside, join(directory, `${index}.head`));
            }),
          ),
        atMost: 4,
        work: { count: sessions, unit: "turns" },
      },
    ],
    async close() {
      for (const fd of files) closeSync(fd);
      rmSync(directory, { recursive: true });
      await close();
    },
  };
}

/** What a head has to say: ids, status, figures. */
const HEAD_BYTES = 400;

const sync = promisify(fdatasync);
