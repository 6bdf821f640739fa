import { describe, expect, it } from "vitest";
import { makeRepository, writeTree } from "../../test/make-repository.ts";
import { readWorkspace } from "../graph/workspace.ts";
import { formatViolation } from "../violation.ts";
import { checkMachinePaths } from "./check-machine-paths.ts";

// Put together here, or this file would be refused itself.
const HOME = ["", "home", "ada"].join("/");
const MAC_HOME = ["", "Users", "ada"].join("/");
const WINDOWS_HOME = ["C:", "Users", "ada"].join("\\");

function violations(text: string): string[] {
  const root = makeRepository({ "docs/a.md": text, "node_modules/x/a.md": HOME, "image.png": `\0${HOME}` });
  return checkMachinePaths(readWorkspace(root)).map(formatViolation);
}

describe("checkMachinePaths", () => {
  it.each(["see ./home/ada", `https://example.com${HOME}`, "~/work", `x${HOME}`, "/home", "/tmp/x"])(
    "lets a file have %s",
    (text) => {
      expect(violations(text)).toEqual([]);
    },
  );

  it.each([HOME, MAC_HOME, WINDOWS_HOME])("refuses %s", (path) => {
    expect(violations(`\ncd "${path}/work"`)).toEqual([
      `docs/a.md:2 has "${path}", a path of one machine. Write it relative to the repository, or take it from the environment.`,
    ]);
  });

  it("refuses the folder that holds the repository, wherever that is", () => {
    const root = makeRepository({});
    writeTree(root, { "a.json": { path: `${root}/packages` } });
    expect(checkMachinePaths(readWorkspace(root)).map(formatViolation)).toEqual([
      `a.json:2 has "${root}", a path of one machine. Write it relative to the repository, or take it from the environment.`,
    ]);
  });
});
