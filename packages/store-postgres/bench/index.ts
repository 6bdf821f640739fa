import { type Compared, report } from "@tooling/bench";
import { openBenchDatabase } from "./bench-database.ts";
import { byteFigures } from "./bytes.ts";
import { concurrencyFigures } from "./concurrency.ts";
import { loadFigures } from "./load.ts";
import { printRoundTrips } from "./round-trips.ts";
import { turnFigures } from "./turn.ts";

const database = await openBenchDatabase();
const results: Compared[] = [];
try {
  await printRoundTrips(database);
  for (const measure of [turnFigures, byteFigures, loadFigures, concurrencyFigures]) {
    results.push(...(await measure(database)));
  }
} finally {
  await database.stop();
}
report(results);
