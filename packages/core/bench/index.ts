import { type Compared, compare, report } from "@tooling/bench";
import { agentComparisons } from "./agent.ts";
import { bidiComparisons } from "./bidi.ts";
import { customComparisons } from "./custom.ts";
import { importFigures } from "./import.ts";
import { memoryFigures } from "./memory.ts";

const results: Compared[] = [];
for (const comparison of [...bidiComparisons(), ...customComparisons(), ...(await agentComparisons())]) {
  results.push(await compare(comparison, { rounds: 7, roundMs: 60 }));
}
results.push(await memoryFigures(), importFigures());
report(results);
