import { measure, report } from "./harness.ts";
import { turnHash } from "./hash.ts";
import { patchComparisons } from "./patch.ts";

const kept = report([...patchComparisons(), turnHash()].map(measure));
process.exitCode = kept ? 0 : 1;
