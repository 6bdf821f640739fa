/**
 * @typedef {{ status: string, fullName: string }} Assertion
 * @typedef {{ testResults: { name: string, status: string, message?: string, assertionResults: Assertion[] }[] }} Report vitest's json
 */

/** A skipped test must say why: "… (skipped if REDIS_URL is set)". */
const EXCUSE = /\(skipped if \S.*\)/;

/**
 * Counts so that nothing passes unseen: a file that did not load, a skip without a reason, a run that failed though no
 * test did (an unhandled rejection), and a run that left no report are failures too.
 * @param {Report | undefined} report
 * @param {number} exitCode
 * @returns {{ passed: number, failed: number, remarks: string[] }}
 */
export function countTests(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1, remarks: ["The test runner left no report."] };
  const remarks = [];
  let passed = 0;
  let failed = 0;
  for (const file of report.testResults) {
    if (file.assertionResults.length === 0) {
      failed += 1;
      remarks.push(`No test ran in ${file.name}: ${file.message ?? file.status}`);
    }
    for (const { status, fullName } of file.assertionResults) {
      if (status === "passed") passed += 1;
      else if (status === "failed") failed += 1;
      else if (EXCUSE.test(fullName)) remarks.push(`Skipped: ${fullName}`);
      else {
        failed += 1;
        remarks.push(`Skipped without a reason in its name: ${fullName}`);
      }
    }
  }
  if (passed + failed === 0) return { passed, failed: 1, remarks: [...remarks, "No test ran."] };
  if (exitCode !== 0 && failed === 0) {
    return {
      passed,
      failed: 1,
      remarks: [...remarks, `All tests passed, but the test runner failed (exit code ${exitCode}).`],
    };
  }
  return { passed, failed, remarks };
}
