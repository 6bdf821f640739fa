import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Comparison } from "@tooling/bench";
import { openBench, question, TURN_BYTES } from "./agent.ts";

export interface Throughput {
  readonly comparisons: readonly Comparison[];
  close(): Promise<void>;
}

/** Turns of so many sessions at once, against appends of the same delta to as many files at once. */
export function throughput(sessions: number): Throughput {
  const { agent, close } = openBench();
  const directory = mkdtempSync(join(tmpdir(), "store-file-bench-"));
  const names = Array.from({ length: sessions }, (_, index) => `session ${index}`);
  const files = names.map((_, index) => openSync(join(directory, String(index)), "a"));
  const delta = Buffer.alloc(TURN_BYTES, "x");
  return {
    comparisons: [
      {
        name: `turns of ${sessions} sessions at once, on the disk / appends and fdatasync of the deltas`,
        ours: () => Promise.all(names.map((sessionId) => agent.runText(question(), { sessionId }))),
        baseline: () =>
          Promise.all(
            files.map(async (fd) => {
              writeSync(fd, delta);
              await sync(fd);
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

const sync = promisify(fdatasync);
