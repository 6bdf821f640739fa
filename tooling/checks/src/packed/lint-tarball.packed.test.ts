import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository, type Tree } from "../../test/make-repository.ts";
import { lintTarball } from "./lint-tarball.ts";
import { runCommand } from "./run-command.ts";

const MANIFEST = {
  name: "fixture",
  version: "1.0.0",
  license: "Apache-2.0",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.19" },
  files: ["dist"],
  exports: {
    "./a": {
      import: { types: "./dist/a.d.ts", default: "./dist/a.js" },
      require: { types: "./dist/a.d.cts", default: "./dist/a.cjs" },
    },
    "./package.json": "./package.json",
  },
};

const SOUND: Tree = {
  "package.json": MANIFEST,
  "dist/a.js": "export const a = 1;",
  "dist/a.d.ts": "export declare const a: number;",
  "dist/a.cjs": "exports.a = 1;",
  "dist/a.d.cts": "export declare const a: number;",
};

async function lint(tree: Tree): Promise<string[]> {
  const root = makeRepository({ ...SOUND, ...tree });
  await runCommand("npm", ["pack", "--ignore-scripts"], root);
  return lintTarball(join(root, "fixture-1.0.0.tgz"));
}

describe("lintTarball", () => {
  it("finds nothing in a package of subpaths, which node10 cannot resolve", async () => {
    expect(await lint({})).toEqual([]);
  });

  it.each([
    [
      "a file that is not packed",
      { "package.json": { ...MANIFEST, exports: { ...MANIFEST.exports, "./b": "./src/b.js" } }, "src/b.js": "" },
      /^publint error FILE_DOES_NOT_EXIST/,
    ],
    [
      "CommonJS that is written as an ES module",
      { "dist/a.cjs": "export const a = 1;" },
      /^publint error FILE_INVALID_EXPLICIT_FORMAT/,
    ],
    [
      "one declaration file for two formats",
      {
        "package.json": {
          ...MANIFEST,
          exports: { "./a": { types: "./dist/a.d.ts", import: "./dist/a.js", require: "./dist/a.cjs" } },
        },
      },
      /^types FalseESM \(node16-cjs\)/,
    ],
    [
      "declarations that import what is not there",
      { "dist/a.d.ts": 'export { a } from "./gone.js";' },
      /^types InternalResolutionError/,
    ],
  ])("refuses %s", async (_what, tree, message) => {
    expect(await lint(tree as Tree)).toContainEqual(expect.stringMatching(message));
  });
});
