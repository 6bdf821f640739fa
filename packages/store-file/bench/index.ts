import { type Compared, compare, report } from "@tooling/bench";
import { loadCost } from "./load-cost.ts";
import { throughput } from "./throughput.ts";
import { turnCost } from "./turn-cost.ts";
import { writtenBytes } from "./written-bytes.ts";

const results: Compared[] = await writtenBytes();
for (const made of [
  await turnCost(),
  await loadCost(1_000),
  await loadCost(10_000),
  throughput(1),
  throughput(16),
  throughput(128),
]) {
  for (const comparison of made.comparisons) results.push(await compare(comparison, { rounds: 7, roundMs: 60 }));
  await made.close();
}
report(results);
