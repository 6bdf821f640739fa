/** Two ways to do a thing, compared in one run: absolute times differ from machine to machine, their ratio hardly. */
export interface Comparison {
  name: string;
  /** Each call does the work once. What it returns is ignored, but keeps the work from being optimised away. */
  ours: () => unknown;
  baseline: () => unknown;
  /** Most that `ours` may take, as a multiple of `baseline`. */
  budget: number;
  /** What was produced: number of operations, bytes. */
  note?: string;
}

export interface Result {
  name: string;
  /** Median time of one call, in microseconds. */
  ours: number;
  baseline: number;
  /** Median over the rounds of ours / baseline: in a round both ran under the same load. */
  ratio: number;
  budget: number;
  note: string;
}

const ROUNDS = 11;
const ROUND_MS = 25;
const WARM_UP_MS = 100;

export function measure({ name, ours, baseline, budget, note = "" }: Comparison): Result {
  const oursCalls = callsPerRound(ours);
  const baselineCalls = callsPerRound(baseline);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const time = { ours: timePerCall(ours, oursCalls), baseline: timePerCall(baseline, baselineCalls) };
    return { ...time, ratio: time.ours / time.baseline };
  });
  return {
    name,
    ours: median(rounds.map((round) => round.ours)),
    baseline: median(rounds.map((round) => round.baseline)),
    ratio: median(rounds.map((round) => round.ratio)),
    budget,
    note,
  };
}

/** Prints the table and returns whether every budget was kept. */
export function report(results: readonly Result[]): boolean {
  const rows = results.map((result) => [
    result.name,
    microseconds(result.ours),
    microseconds(result.baseline),
    result.ratio.toPrecision(3),
    `<= ${result.budget}`,
    result.ratio <= result.budget ? "ok" : "over",
    result.note,
  ]);
  const table = [["", "ours", "baseline", "ratio", "budget", "", "produced"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return results.every(({ ratio, budget }) => ratio <= budget);
}

/** Warms up, and finds how many calls fill a round. */
function callsPerRound(run: () => unknown): number {
  const started = performance.now();
  let calls = 0;
  while (performance.now() - started < WARM_UP_MS) {
    sink = run();
    calls++;
  }
  return Math.max(1, Math.round((calls * ROUND_MS) / (performance.now() - started)));
}

function timePerCall(run: () => unknown, calls: number): number {
  const started = performance.now();
  for (let call = 0; call < calls; call++) sink = run();
  return ((performance.now() - started) * 1_000) / calls;
}

/** Results end here, where the compiler cannot see that nobody reads them. */
export let sink: unknown;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function microseconds(value: number): string {
  return `${value < 100 ? value.toPrecision(3) : Math.round(value)} µs`;
}
