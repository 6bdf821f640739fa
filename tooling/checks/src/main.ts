// The repository checks as a program: `pnpm checks`, or `pnpm checks --built` after a build.
import { fileURLToPath } from "node:url";
import { runRepositoryChecks } from "./repository-checks.ts";
import { formatViolation } from "./violation.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const { counts, results } = runRepositoryChecks(root, { built: process.argv.includes("--built") });

console.log(`${counts.packages} packages, ${counts.files} files, ${counts.imports} imports`);
for (const { name, violations } of results) {
  console.log(violations.length === 0 ? `ok   ${name}` : `FAIL ${name}: ${violations.length}`);
  for (const violation of violations) console.log(`     ${formatViolation(violation)}`);
}
process.exitCode = results.some(({ violations }) => violations.length > 0) ? 1 : 0;
