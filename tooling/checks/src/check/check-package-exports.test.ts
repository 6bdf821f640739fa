import { describe, expect, it } from "vitest";
import { makeRepository, manifest, type Tree } from "../../test/make-repository.ts";
import { readWorkspace } from "../graph/workspace.ts";
import { formatViolation } from "../violation.ts";
import { checkPackageExports, expectedExport } from "./check-package-exports.ts";

const BASE: Tree = {
  "packages/schema/package.json": manifest("@agents/schema", ["error"]),
  "packages/schema/src/error/index.ts": "",
};

const ERROR = expectedExport("./src/error/index.ts") as Record<string, object>;

function violations(tree: Tree): string[] {
  return checkPackageExports(readWorkspace(makeRepository({ ...BASE, ...tree }))).map(formatViolation);
}

function withExports(exports: object): string[] {
  return violations({ "packages/schema/package.json": { name: "@agents/schema", exports } });
}

describe("checkPackageExports", () => {
  it("finds nothing where exports and sources agree, and asks nothing of private packages", () => {
    expect(violations({ "tooling/config/package.json": { name: "@tooling/config", private: true } })).toEqual([]);
  });

  it("refuses a subpath without its source file", () => {
    expect(violations({ "packages/schema/package.json": manifest("@agents/schema", ["error", "sse"]) })).toEqual([
      'packages/schema/package.json:25 exports["./sse"] names ./src/sse/index.ts, which does not exist. Add the file, or remove the subpath.',
    ]);
  });

  it("refuses a subpath that names no source", () => {
    const exports = { "./error": "./dist/error/index.js", "./package.json": "./package.json" };
    expect(withExports(exports)).toEqual([
      'packages/schema/package.json:3 @agents/schema: exports["./error"] needs a "@agents/source" that names a file below ./src/, got undefined.',
    ]);
  });

  it.each([
    ["another file", { ...ERROR, require: { types: "./dist/error.d.cts", default: "./dist/error.cjs" } }],
    ["code before types", { ...ERROR, import: { default: "./dist/error/index.js", types: "./dist/error/index.d.ts" } }],
    ["one format only", { "@agents/source": "./src/error/index.ts", import: ERROR.import }],
  ])("refuses %s", (_what, target) => {
    expect(withExports({ "./error": target, "./package.json": "./package.json" })).toEqual([
      `packages/schema/package.json:4 exports["./error"] does not lead to what is built from ./src/error/index.ts. Write ${JSON.stringify(ERROR)}, in this order.`,
    ]);
  });

  it("refuses exports without package.json", () => {
    expect(withExports({ "./error": ERROR })).toEqual([
      'packages/schema/package.json:3 exports has no "./package.json", which bundlers and version checks read. Write "./package.json": "./package.json".',
    ]);
  });

  it("names what exports leave out: src/index.ts, and each folder where folders are subpaths", () => {
    const tree = {
      "packages/schema/src/sse/index.ts": "",
      "packages/core/package.json": manifest("@agents/core", ["tool"]),
      "packages/core/src/index.ts": "",
      "packages/core/src/tool/index.ts": "",
      "packages/core/src/turn/index.ts": "",
    };
    expect(violations(tree)).toEqual([
      `packages/core/package.json:13 exports leaves out packages/core/src/index.ts. Add ".": ${JSON.stringify(expectedExport("./src/index.ts"))}.`,
      `packages/schema/package.json:13 exports leaves out packages/schema/src/sse/index.ts. Add "./sse": ${JSON.stringify(expectedExport("./src/sse/index.ts"))}.`,
    ]);
  });

  it("lets a folder that the table calls internal have no subpath", () => {
    expect(violations({ "packages/schema/src/json/index.ts": "" })).toEqual([]);
  });
});
