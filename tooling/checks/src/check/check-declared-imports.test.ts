import { describe, expect, it } from "vitest";
import { makeGraph } from "../../test/make-graph.ts";
import { manifest, type Tree } from "../../test/make-repository.ts";
import { formatViolation } from "../violation.ts";
import { checkDeclaredImports } from "./check-declared-imports.ts";

const BASE: Tree = {
  "packages/schema/package.json": manifest("@agents/schema", ["error"]),
  "packages/schema/src/error/index.ts": "",
  "packages/core/package.json": manifest("@agents/core", ["."], {
    dependencies: { rfc6902: "catalog:", "@types/pg": "catalog:" },
    peerDependencies: { zod: "catalog:" },
    devDependencies: { vitest: "catalog:" },
  }),
  "packages/core/src/index.ts":
    'import "rfc6902"; import "zod/mini"; import "node:fs"; import type { Pool } from "pg";',
  "packages/core/src/a.test.ts": 'import "vitest"; import "@agents/core"; import type { Pool } from "pg";',
  "tooling/checks/package.json": { name: "@tooling/checks", private: true, devDependencies: { publint: "catalog:" } },
  "tooling/checks/src/a.ts": 'import "publint/utils";',
};

function violations(tree: Tree): string[] {
  return checkDeclaredImports(makeGraph({ ...BASE, ...tree })).map(formatViolation);
}

describe("checkDeclaredImports", () => {
  it("finds nothing where everything is declared, and takes devDependencies in tests and in tooling", () => {
    expect(violations({})).toEqual([]);
  });

  it("takes a development dependency in a source where the build puts it into dist", () => {
    const inlined = manifest("@agents/core", ["."], {
      dependencies: { rfc6902: "catalog:" },
      devDependencies: { mutative: "catalog:" },
      inlined: ["mutative"],
    });
    const source = 'import "rfc6902"; import "mutative";';
    const tree = { "packages/core/src/index.ts": source, "packages/core/src/a.test.ts": "" };
    expect(violations({ ...tree, "packages/core/package.json": inlined })).toEqual([]);
    const gone = { ...inlined, devDependencies: {} };
    expect(violations({ ...tree, "packages/core/package.json": gone })).toHaveLength(1);
  });

  it.each([
    [
      "an installed package",
      "packages/core/src/a.ts",
      'import type { Redis } from "@redis/client/types";',
      'packages/core/src/a.ts:1 imports "@redis/client/types", which @agents/core does not declare. Add "@redis/client": "catalog:" to dependencies of packages/core/package.json.',
    ],
    [
      "a workspace package",
      "packages/core/src/a.ts",
      'import { AgentError } from "@agents/schema/error";',
      'packages/core/src/a.ts:1 imports "@agents/schema/error", which @agents/core does not declare. Add "@agents/schema": "workspace:^" to dependencies of packages/core/package.json.',
    ],
    [
      "a package in a test",
      "packages/core/src/b.test.ts",
      'import "fast-check";',
      'packages/core/src/b.test.ts:1 imports "fast-check", which @agents/core does not declare. Add "fast-check": "catalog:" to devDependencies of packages/core/package.json.',
    ],
    [
      "a development dependency in a source",
      "packages/core/src/a.ts",
      'import "vitest";',
      'packages/core/src/a.ts:1 imports "vitest", which @agents/core has in devDependencies only; users would not get it. Move "vitest": "catalog:" to dependencies or peerDependencies of packages/core/package.json.',
    ],
    [
      "types alone at run time",
      "packages/core/src/a.ts",
      'import { Pool } from "pg";',
      'packages/core/src/a.ts:1 imports "pg", which @agents/core does not declare. Add "pg": "catalog:" to dependencies of packages/core/package.json.',
    ],
    [
      "a dependency that only a test imports",
      "packages/core/src/index.ts",
      'import "rfc6902";',
      'packages/core/package.json:1 dependencies has "@types/pg", which no source file of @agents/core imports; every user would install it. Remove it, or move it to devDependencies if tests use it.',
    ],
  ])("refuses %s", (_what, file, text, message) => {
    expect(violations({ [file]: text })).toEqual([message]);
  });
});
