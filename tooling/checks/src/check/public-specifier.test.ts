import { expect, it } from "vitest";
import { manifest } from "../../test/make-repository.ts";
import type { Manifest } from "../graph/workspace.ts";
import { expectedExport } from "./check-package-exports.ts";
import { publicSpecifier } from "./public-specifier.ts";

const exports = {
  ".": expectedExport("./src/index.ts"),
  "./node": expectedExport("./src/node.ts"),
  "./tool": expectedExport("./src/tool/index.ts"),
};

const http = {
  name: "@agents/http",
  group: "packages",
  dir: "packages/http",
  manifest: manifest("@agents/http", [], { exports }) as Manifest,
  files: [],
} as const;

it.each([
  ["src/index.ts", "@agents/http"],
  ["src/node.ts", "@agents/http/node"],
  ["src/tool/index.ts", "@agents/http/tool"],
  ["src/tool/run/run-tool.ts", "@agents/http/tool"],
  ["dist/index.js", undefined],
])("gives others %s as %s", (file, specifier) => {
  expect(publicSpecifier(http, `packages/http/${file}`)).toBe(specifier);
});
