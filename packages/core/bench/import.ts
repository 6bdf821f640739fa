import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Compared, compareFigures } from "@tooling/bench";

const ROUNDS = 15;

/**
 * A cold import of core over bare node. The budget of 60 ms holds where zod, which it loads and nearly every user loads as
 * well, takes 40 of them; so zod's own import in the same run is the baseline.
 */
export function importFigures(): Compared {
  const times: Record<"bare" | "zod" | "core", number[]> = { bare: [], zod: [], core: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push(start(""));
    times.zod.push(start("import 'zod'"));
    times.core.push(start("import '@agents/core'"));
  }
  const bare = fastest(times.bare);
  const ours = fastest(times.core) - bare;
  const baseline = fastest(times.zod) - bare;
  const note = `${Math.round(ours / 1_000)} ms over bare node's ${Math.round(bare / 1_000)}`;
  return compareFigures({ name: "cold import of core / of zod alone", ours, baseline, atMost: 1.5, note });
}

/** In microseconds. */
function start(program: string): number {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const started = performance.now();
  execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd, stdio: "ignore" });
  return (performance.now() - started) * 1_000;
}

/** Of a start-up, the fastest is the one that was disturbed least. */
function fastest(times: readonly number[]): number {
  return Math.min(...times);
}
