import { type Compared, compare, report } from "@tooling/bench";
import { closeLoaded, loadComparisons } from "./load.ts";
import { openBench } from "./redis-bench.ts";
import { startRedis } from "./redis-server.ts";
import { sizeFigures } from "./size.ts";
import { concurrentFigures, roundTrips, turnComparisons } from "./turn.ts";

const { url, stop } = await startRedis();
const bench = await openBench(url);
try {
  const results: Compared[] = [await roundTrips(bench)];
  for (const comparison of [...(await turnComparisons(bench)), ...(await loadComparisons(bench, url))]) {
    results.push(await compare(comparison, { rounds: 7, roundMs: 120 }));
  }
  results.push(...(await concurrentFigures(bench)), ...(await sizeFigures(bench)));
  report(results);
} finally {
  await closeLoaded();
  await bench.close();
  await stop();
}
