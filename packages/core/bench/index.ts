import { type Compared, compare, report } from "@tooling/bench";
import { bidiComparisons } from "./bidi.ts";
import { customComparisons } from "./custom.ts";

const results: Compared[] = [];
for (const comparison of [...bidiComparisons(), ...customComparisons()]) {
  results.push(await compare(comparison, { rounds: 7, roundMs: 60 }));
}
report(results);
