import { describe, expect, it } from "vitest";
import { makeRepository, type Tree } from "../../test/make-repository.ts";
import { readWorkspace } from "../graph/workspace.ts";
import { formatViolation } from "../violation.ts";
import { checkTestFocus } from "./check-test-focus.ts";

function violations(tree: Tree): string[] {
  const root = makeRepository({ "packages/core/package.json": { name: "@agents/core" }, ...tree });
  return checkTestFocus(readWorkspace(root)).map(formatViolation);
}

const FILE = "packages/core/src/a.test.ts";

describe("checkTestFocus", () => {
  it.each([
    'it("works", () => {});',
    'it.skip("works (skipped if before Node 22)", () => {});',
    'it.skipIf(process.platform === "win32")("works", () => {});',
    'list.only("a"); words.skip("b"); it.each([1])("works", () => {});',
  ])("lets a test have %s", (text) => {
    expect(violations({ [FILE]: text })).toEqual([]);
  });

  it.each([
    ['it.only("works", run);', 'it.only("works") keeps every other test of the file from running. Remove ".only".'],
    [
      'describe.concurrent.only("it", run);',
      'describe.concurrent.only("it") keeps every other test of the file from running. Remove ".only".',
    ],
    [
      'it.only.each([1, 2])("works", run);',
      'it.only.each("works") keeps every other test of the file from running. Remove ".only".',
    ],
    [
      "test.only.each`a`(name, run);",
      'test.only.each(name) keeps every other test of the file from running. Remove ".only".',
    ],
    [
      'it.skip("works", run);',
      'it.skip("works") is skipped without a reason. Put it in the title, "… (skipped if <reason>)", or remove ".skip".',
    ],
    [
      'describe.skip("it (skipped if )", run);',
      'describe.skip("it (skipped if )") is skipped without a reason. Put it in the title, "… (skipped if <reason>)", or remove ".skip".',
    ],
  ])("refuses %s once", (text, message) => {
    expect(violations({ [FILE]: `\n${text}` })).toEqual([`${FILE}:2 ${message}`]);
  });

  it("reads test files only", () => {
    expect(violations({ "packages/core/src/a.ts": 'it.only("works", run);' })).toEqual([]);
  });
});
