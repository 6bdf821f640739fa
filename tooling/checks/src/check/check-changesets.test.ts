import { describe, expect, it } from "vitest";
import { makeRepository, manifest } from "../../test/make-repository.ts";
import { readWorkspace } from "../graph/workspace.ts";
import { formatViolation } from "../violation.ts";
import { checkChangesets } from "./check-changesets.ts";

function violations(text: string): string[] {
  const tree = {
    "packages/core/package.json": manifest("@agents/core", ["."]),
    ".changeset/a.md": text,
    ".changeset/README.md": "words",
  };
  return checkChangesets(readWorkspace(makeRepository(tree))).map(formatViolation);
}

describe("checkChangesets", () => {
  it("finds nothing in a changeset in order", () => {
    expect(violations('---\n"@agents/core": minor\n---\n\nSomething new.\n')).toEqual([]);
  });

  it.each([
    '## "@agents/core": minor\n\nText.\n',
    '---\n"@agents/core": huge\n---\n\nText.\n',
    '---\n"@agents/core": minor\n---\n',
  ])("refuses what a release cannot read: %j", (text) => {
    expect(violations(text)).toEqual([expect.stringMatching(/^\.changeset\/a\.md:1 is no changeset/)]);
  });

  it("refuses a package that is not released", () => {
    expect(violations('---\n"@agents/cor": minor\n---\n\nText.\n')).toEqual([
      ".changeset/a.md:2 names @agents/cor, which is no package that is released: @agents/core.",
    ]);
  });
});
