import { describe, expect, it } from "vitest";
import { countTests, type Report } from "./count-tests.mjs";

const file = (...assertions: [status: string, fullName: string][]): Report => ({
  testResults: [
    {
      name: "a.test.ts",
      status: "passed",
      assertionResults: assertions.map(([status, fullName]) => ({ status, fullName })),
    },
  ],
});

describe("countTests", () => {
  it.each<[string, Report | undefined, number, { passed: number; failed: number }]>([
    [
      "counts passed and failed tests",
      file(["passed", "a"], ["passed", "b"], ["failed", "c"]),
      1,
      { passed: 2, failed: 1 },
    ],
    [
      "takes a skipped test without a reason for a failure",
      file(["passed", "a"], ["skipped", "b"]),
      0,
      { passed: 1, failed: 1 },
    ],
    ["takes a todo for a failure", file(["passed", "a"], ["todo", "b"]), 0, { passed: 1, failed: 1 }],
    [
      "lets a skipped test with a reason be",
      file(["passed", "a"], ["skipped", "b (skipped if off macOS)"]),
      0,
      { passed: 1, failed: 0 },
    ],
    ["takes a file in which no test ran for a failure", file(), 1, { passed: 0, failed: 1 }],
    ["takes a run without any test for a failure", { testResults: [] }, 0, { passed: 0, failed: 1 }],
    ["takes a failed run without a failed test for a failure", file(["passed", "a"]), 1, { passed: 1, failed: 1 }],
    ["takes a missing report for a failure", undefined, 0, { passed: 0, failed: 1 }],
  ])("%s", (_name, report, exitCode, expected) => {
    expect(countTests(report, exitCode)).toMatchObject(expected);
  });

  it("names what it counted as a failure", () => {
    expect(countTests(file(["skipped", "works on Mondays"]), 0).remarks).toEqual([
      "Skipped without a reason in its name: works on Mondays",
    ]);
  });
});
