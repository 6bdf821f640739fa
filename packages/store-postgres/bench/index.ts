import { type Compared, report } from "@tooling/bench";
import { openBenchDatabase } from "./bench-database.ts";
import { turnFigures } from "./turn.ts";

const database = await openBenchDatabase();
const results: Compared[] = [];
try {
  results.push(...(await turnFigures(database)));
} finally {
  await database.stop();
}
report(results);
