// `npm test`: installs, builds, lints, type-checks and runs every test. Its last line is `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTests } from "./count-tests.mjs";
import { typecheck } from "./typecheck.mjs";
import { install, interruption, runInstalled, runTurbo, stopInOrder } from "./workspace.mjs";

stopInOrder();

const started = Date.now();
const total = { passed: 0, failed: 0 };
const scratch = mkdtempSync(join(tmpdir(), "agents-test-"));
const report = join(scratch, "vitest.json");

/**
 * @param {string} name
 * @param {() => Promise<number>} work
 */
async function step(name, work) {
  endIfInterrupted();
  console.log(`\n== ${name}`);
  const ok = (await work()) === 0;
  endIfInterrupted();
  total[ok ? "passed" : "failed"] += 1;
  if (!ok) console.log(`== ${name} FAILED`);
  return ok;
}

/** An interrupted run has no result: it says neither passed nor failed. */
function endIfInterrupted() {
  const code = interruption();
  if (code === undefined) return;
  rmSync(scratch, { recursive: true, force: true });
  console.log("\ninterrupted");
  process.exit(code);
}

async function tests() {
  console.log("\n== tests");
  const code = await runInstalled("vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  endIfInterrupted();
  const counted = countTests(readReport(), code);
  for (const line of counted.remarks) console.log(line);
  total.passed += counted.passed;
  total.failed += counted.failed;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return undefined;
  }
}

// What follows needs both, and would only repeat their failure.
if ((await step("install", install)) && (await step("build", () => runTurbo(["build", "--force"])))) {
  await step("lint", () => runInstalled("biome", ["check", "--error-on-warnings", "."]));
  await step("types", typecheck);
  await step("repository checks", () => runInstalled("tsx", ["tooling/checks/src/main.ts"]));
  await tests();
}
rmSync(scratch, { recursive: true, force: true });
console.log(`\nin ${Math.round((Date.now() - started) / 1000)} s`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
