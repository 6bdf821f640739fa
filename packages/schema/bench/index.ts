import { type Compared, compare, report } from "@tooling/bench";
import { turnHash } from "./hash.ts";
import { patchComparisons } from "./patch.ts";

const results: Compared[] = [];
for (const comparison of [...patchComparisons(), turnHash()]) results.push(await compare(comparison));
report(results);
