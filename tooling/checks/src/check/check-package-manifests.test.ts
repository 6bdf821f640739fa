import { describe, expect, it } from "vitest";
import { makeRepository, manifest, type Tree } from "../../test/make-repository.ts";
import { readWorkspace } from "../graph/workspace.ts";
import { formatViolation } from "../violation.ts";
import { checkPackageManifests } from "./check-package-manifests.ts";

const BASE: Tree = {
  "packages/schema/package.json": manifest("@agents/schema"),
  "packages/schema/README.md": "# @agents/schema",
  "packages/core/package.json": manifest("@agents/core"),
  "packages/core/README.md": "# @agents/core",
  "tooling/config/package.json": { name: "@tooling/config", private: true },
};

function violations(tree: Tree): string[] {
  return checkPackageManifests(readWorkspace(makeRepository({ ...BASE, ...tree }))).map(formatViolation);
}

describe("checkPackageManifests", () => {
  it("finds nothing in manifests in order", () => {
    const fields = {
      dependencies: { "@agents/schema": "workspace:^", pg: "catalog:" },
      peerDependencies: { zod: "^4.0.0" },
      devDependencies: { "@tooling/config": "workspace:*" },
    };
    expect(violations({ "packages/core/package.json": manifest("@agents/core", [], fields) })).toEqual([]);
  });

  it.each([
    [{ type: "commonjs" }, '5 type is "commonjs", but the built .js files are ES modules. Write "type": "module".'],
    [
      { license: undefined },
      '1 license is undefined, but all packages have the license of the repository. Write "license": "Apache-2.0".',
    ],
    [
      { sideEffects: true },
      '6 sideEffects is true, but bundlers then drop the entries and functions nobody uses. Write "sideEffects": false.',
    ],
    [
      { engines: { node: ">=18" } },
      '7 engines is {"node":">=18"}, but all packages run where the repository is tested. Write "engines": {"node":">=20.19"}.',
    ],
    [
      { files: ["src"] },
      '10 files is ["src"]; without "dist" nothing that runs is published. Write "files": ["dist", …].',
    ],
    [{ description: "" }, "2 description is missing; registries show it. Say in one sentence what it is."],
    [{ name: "@agents/kernel" }, '2 name is "@agents/kernel"; a package in packages/core is called "@agents/core".'],
    [
      { dependencies: { "@agents/schema": "^0.0.0" } },
      '17 dependencies has "@agents/schema": "^0.0.0". @agents/schema is in this repository, but the range may install another version. Write "workspace:^".',
    ],
    [
      { devDependencies: { "@agents/shema": "workspace:*" } },
      '17 devDependencies has "@agents/shema": "workspace:*". No package of this repository has that name. Correct the name or the range.',
    ],
    [
      { dependencies: { "@tooling/config": "workspace:*" } },
      '17 dependencies has "@tooling/config": "workspace:*". @tooling/config is private, so users of @agents/core could not install it. Move it to devDependencies.',
    ],
    [
      { dependencies: { pg: "^8.0.0" } },
      '17 dependencies has "pg": "^8.0.0". Versions are kept in one place. Add it to the catalog of pnpm-workspace.yaml and write "catalog:".',
    ],
  ])("refuses %j", (fields, message) => {
    expect(violations({ "packages/core/package.json": manifest("@agents/core", [], fields) })).toEqual([
      `packages/core/package.json:${message}`,
    ]);
  });

  it("refuses a public package without a README, and one outside packages/", () => {
    const tree = {
      "packages/http/package.json": manifest("@agents/http"),
      "apps/sample/package.json": manifest("sample"),
      "apps/sample/README.md": "# sample",
    };
    expect(violations(tree)).toEqual([
      "packages/http/package.json:2 README.md is missing. Add packages/http/README.md: one sentence, install, a program that runs, options.",
      'apps/sample/package.json:2 sample could be published by accident; only packages/* are. Add "private": true.',
    ]);
  });
});
