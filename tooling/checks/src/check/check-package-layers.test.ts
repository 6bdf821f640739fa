import { describe, expect, it } from "vitest";
import { makeGraph } from "../../test/make-graph.ts";
import { manifest, type Tree } from "../../test/make-repository.ts";
import { formatViolation } from "../violation.ts";
import { checkPackageLayers } from "./check-package-layers.ts";

const BASE: Tree = {
  "packages/schema/package.json": manifest("@agents/schema", ["error", "port"]),
  "packages/schema/src/error/index.ts": 'export { AgentError } from "./agent-error.ts";',
  "packages/schema/src/error/agent-error.ts": "export class AgentError extends Error {}",
  "packages/schema/src/port/index.ts": "export interface Store {}",
  "packages/core/package.json": manifest("@agents/core", ["."]),
  "packages/core/src/index.ts": "export const createAgent = 1;",
  "packages/client/package.json": manifest("@agents/client", ["."]),
  "packages/client/src/index.ts": "export const createClient = 1;",
  "packages/react/package.json": manifest("@agents/react", ["."]),
  "packages/testing/package.json": manifest("@agents/testing", ["."]),
  "apps/sample/package.json": { name: "sample", private: true },
  "tooling/config/package.json": { name: "@tooling/config", private: true, exports: { "./build": "./build.mjs" } },
  "tooling/checks/package.json": { name: "@tooling/checks", private: true },
};

function violations(tree: Tree): string[] {
  return checkPackageLayers(makeGraph({ ...BASE, ...tree })).map(formatViolation);
}

describe("checkPackageLayers", () => {
  it("finds nothing in a repository in order", () => {
    expect(violations({})).toEqual([]);
  });

  it.each([
    ["packages/core/src/a.ts", 'import { AgentError } from "@agents/schema/error";'],
    ["packages/react/src/a.ts", 'import { createClient } from "@agents/client";'],
    ["packages/client/src/a.test.ts", 'import { createAgent } from "@agents/core";'],
    ["packages/client/bench/index.ts", 'import { createAgent } from "@agents/core";'],
    ["packages/client/vitest.config.ts", 'import "@tooling/config/build";'],
    ["packages/schema/src/error/a.test.ts", 'import { AgentError } from "@agents/schema/error";'],
    ["apps/sample/src/a.ts", 'import { createAgent } from "@agents/core";'],
    ["tooling/checks/src/a.ts", 'import "@tooling/config/build";'],
    ["tooling/checks/src/a.test.ts", 'import { createAgent } from "@agents/core";'],
    ["tooling/checks/consumer/a.ts", 'import { createAgent } from "@agents/core/deep";'],
    ["packages/core/src/b.ts", 'import "node:fs"; import "pg";'],
  ])("lets %s have %s", (file, text) => {
    expect(violations({ [file]: text })).toEqual([]);
  });

  it.each([
    [
      "a sibling",
      "packages/client/src/a.ts",
      '\nimport { createAgent } from "@agents/core";',
      'packages/client/src/a.ts:2 imports "@agents/core", but the sources of @agents/client may import @agents/schema. What two packages share is a contract: import its type, import type { createAgent } from "@agents/schema/port", and take the implementation as an argument.',
    ],
    [
      "a sibling's type",
      "packages/core/src/a.ts",
      'import type { Client } from "@agents/client";',
      'packages/core/src/a.ts:1 imports "@agents/client", but the sources of @agents/core may import @agents/schema. What two packages share is a contract: import its type, import type { Client } from "@agents/schema/port", and take the implementation as an argument.',
    ],
    [
      "anything above the contracts",
      "packages/schema/src/error/a.ts",
      'export * from "@agents/core";',
      'packages/schema/src/error/a.ts:1 imports "@agents/core", but the sources of @agents/schema may import no workspace package. It is below all others: define the contract here, and let them import it.',
    ],
    [
      "core from a kit",
      "packages/testing/src/kit.ts",
      'import { createAgent } from "@agents/core";',
      'packages/testing/src/kit.ts:1 imports "@agents/core", but the sources of @agents/testing may import @agents/schema. What two packages share is a contract: import its type, import type { createAgent } from "@agents/schema/port", and take the implementation as an argument.',
    ],
    [
      "tooling from a library",
      "packages/core/src/a.ts",
      'import { packageEntries } from "@tooling/config/build";',
      'packages/core/src/a.ts:1 imports "@tooling/config/build", but the sources of @agents/core may import @agents/schema. @tooling/config is not published; only tests and benchmarks use it.',
    ],
    [
      "tooling from an app",
      "apps/sample/src/a.ts",
      'import "@tooling/config/build";',
      'apps/sample/src/a.ts:1 imports "@tooling/config/build", but the sources of apps/sample may import @agents/* only: an app is built from published packages, as a user\'s would be. Import it in a test, or not at all.',
    ],
    [
      "a library from tooling",
      "tooling/checks/src/a.ts",
      'import { AgentError } from "@agents/schema/error";',
      'tooling/checks/src/a.ts:1 imports "@agents/schema/error", but the sources of tooling/checks may import @tooling/* only: tooling builds and checks the packages, so it has to work while one of them does not compile. Import it in a *.test.ts or *.bench.ts file.',
    ],
    [
      "a deep path",
      "packages/core/src/a.ts",
      'import { AgentError } from "@agents/schema/src/error/agent-error.ts";',
      'packages/core/src/a.ts:1 imports "@agents/schema/src/error/agent-error.ts", which is not in the exports of @agents/schema: "@agents/schema/error", "@agents/schema/port". Write import { AgentError } from "@agents/schema/error".',
    ],
    [
      "the root of a package that has subpaths only, in a test too",
      "packages/core/src/a.test.ts",
      'import { AgentError } from "@agents/schema";',
      'packages/core/src/a.test.ts:1 imports "@agents/schema", which is not in the exports of @agents/schema: "@agents/schema/error", "@agents/schema/port".',
    ],
    [
      "another package by path",
      "packages/core/src/a.ts",
      'import { AgentError } from "../../schema/src/error/agent-error.ts";',
      'packages/core/src/a.ts:1 imports "../../schema/src/error/agent-error.ts", a path that leaves @agents/core; the path does not exist where the package is installed. Write import { AgentError } from "@agents/schema/error".',
    ],
    [
      "another package's dist by path, built or not",
      "packages/core/src/a.test.ts",
      'const { AgentError } = await import("../../schema/dist/error/index.js");',
      'packages/core/src/a.test.ts:1 imports "../../schema/dist/error/index.js", a path that leaves @agents/core; the path does not exist where the package is installed. @agents/schema exports "@agents/schema/error", "@agents/schema/port".',
    ],
    [
      "a file of the repository",
      "packages/core/src/a.ts",
      'import root from "../../../package.json" with { type: "json" };',
      'packages/core/src/a.ts:1 imports "../../../package.json", a path that leaves @agents/core; the path does not exist where the package is installed. Move the file into the package, or pass its content as an argument.',
    ],
    [
      "its own package by name",
      "packages/schema/src/port/a.ts",
      'import { AgentError } from "@agents/schema/error";',
      'packages/schema/src/port/a.ts:1 imports its own package by name, which the bundler takes from dist/: a second copy. Write import { AgentError } from "../error/index.ts".',
    ],
  ])("refuses %s", (_what, file, text, message) => {
    expect(violations({ [file]: text })).toEqual([message]);
  });

  it("refuses a test file as a source's import", () => {
    const tree = {
      "packages/core/src/a.ts": 'import { b } from "./b.test.ts";',
      "packages/core/src/b.test.ts": "export const b = 1;",
    };
    expect(violations(tree)).toEqual([
      'packages/core/src/a.ts:1 imports "./b.test.ts", a test, benchmark or configuration file, which is not published. Move what both need to a file of its own in src/.',
    ]);
  });

  it("says where to add a package that is not in the table", () => {
    const tree = {
      "packages/new/package.json": manifest("@agents/new", ["."]),
      "packages/new/src/index.ts": 'import "@agents/core";',
    };
    expect(violations(tree)).toEqual([
      "packages/new/package.json:1 @agents/new is not in the layer table. Add it to PACKAGE_LAYERS in tooling/checks/src/layer-table.ts, with the packages it may import.",
    ]);
  });
});
