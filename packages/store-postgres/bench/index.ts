import { type Compared, report } from "@tooling/bench";
import { openBenchDatabase } from "./bench-database.ts";
import { byteFigures } from "./bytes.ts";
import { concurrencyFigures } from "./concurrency.ts";
import { loadFigures } from "./load.ts";
import { printRoundTrips } from "./round-trips.ts";
import { turnFigures } from "./turn.ts";

const MEASURES = { turn: turnFigures, bytes: byteFigures, load: loadFigures, concurrency: concurrencyFigures };

// All of them, or those that are named: `bench -- turn load`.
const asked = process.argv.slice(2);
const database = await openBenchDatabase();
const results: Compared[] = [];
try {
  await printRoundTrips(database);
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (asked.length === 0 || asked.includes(name)) results.push(...(await measure(database)));
  }
} finally {
  await database.stop();
}
report(results);
