/** Two ways to do a thing, compared in one run: absolute times differ from machine to machine, their ratio hardly. */
export interface Comparison {
  name: string;
  /** Each call does the work once; a promise is awaited. What comes back is ignored. */
  ours: () => unknown;
  baseline: () => unknown;
  /** Most that `ours` may take, as a multiple of what `baseline` takes. */
  atMost: number;
  /** How many of what one call does, where it does many: shown as a rate. @default one call, shown as a time */
  work?: { count: number; unit: string };
  /** What was produced: number of operations, bytes. */
  note?: string;
}

export interface Compared extends Pick<Comparison, "name" | "atMost" | "work" | "note"> {
  /** Median time of one call, in microseconds, or what `unit` says. */
  ours: number;
  baseline: number;
  /** What was counted, where it is not time. */
  unit?: "bytes";
  /** Median over the rounds of ours / baseline: in a round both ran under the same load. */
  ratio: number;
}

export interface CompareOptions {
  /** @default 11 */
  rounds?: number;
  /** How long each side runs in a round, in milliseconds. @default 25 */
  roundMs?: number;
  /** Milliseconds, from anywhere. @default performance.now */
  now?: () => number;
}

/** Two figures that were found some other way. */
export function compareFigures(figures: Omit<Compared, "ratio">): Compared {
  return { ...figures, ratio: figures.ours / figures.baseline };
}

export async function compare(
  comparison: Comparison,
  { rounds = 11, roundMs = 25, now = () => performance.now() }: CompareOptions = {},
): Promise<Compared> {
  const { ours, baseline, ...rest } = comparison;
  const oursCalls = await callsIn(roundMs, ours, now);
  const baselineCalls = await callsIn(roundMs, baseline, now);
  const times: { ours: number; baseline: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const time = {
      ours: await timePerCall(ours, oursCalls, now),
      baseline: await timePerCall(baseline, baselineCalls, now),
    };
    times.push({ ...time, ratio: time.ours / time.baseline });
  }
  return {
    ...rest,
    ours: median(times.map((time) => time.ours)),
    baseline: median(times.map((time) => time.baseline)),
    ratio: median(times.map((time) => time.ratio)),
  };
}

/** Warms up, and finds how many calls fill a round. */
async function callsIn(roundMs: number, run: () => unknown, now: () => number): Promise<number> {
  const started = now();
  let calls = 0;
  while (now() - started < roundMs * 4) {
    await call(run);
    calls++;
  }
  return Math.max(1, Math.round((calls * roundMs) / (now() - started)));
}

async function timePerCall(run: () => unknown, calls: number, now: () => number): Promise<number> {
  const started = now();
  for (let count = 0; count < calls; count++) {
    const result = run();
    // Only what is a promise is awaited: a turn of the event queue would be most of a short call's time.
    if (result instanceof Promise) await result;
    else sink = result;
  }
  return ((now() - started) * 1_000) / calls;
}

async function call(run: () => unknown): Promise<void> {
  sink = await run();
}

/** Results end here, where the compiler cannot see that nobody reads them. */
export let sink: unknown;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
