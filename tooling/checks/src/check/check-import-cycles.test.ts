import { describe, expect, it } from "vitest";
import { makeGraph } from "../../test/make-graph.ts";
import { manifest, type Tree } from "../../test/make-repository.ts";
import { formatViolation } from "../violation.ts";
import { checkImportCycles } from "./check-import-cycles.ts";

const BASE: Tree = {
  "packages/core/package.json": manifest("@agents/core", ["."]),
  "packages/http/package.json": manifest("@agents/http", ["."]),
};

const REASON =
  "Files that import each other cannot be read or loaded one by one. Move what they share to a file that imports none of them.";

function violations(tree: Tree): string[] {
  return checkImportCycles(makeGraph({ ...BASE, ...tree })).map(formatViolation);
}

describe("checkImportCycles", () => {
  it("finds no cycle where two ways lead to one file", () => {
    const tree = {
      "packages/core/src/a.ts": 'import "./b.ts"; import "./c.ts";',
      "packages/core/src/b.ts": 'import "./d.ts";',
      "packages/core/src/c.ts": 'import "./d.ts";',
      "packages/core/src/d.ts": "",
    };
    expect(violations(tree)).toEqual([]);
  });

  it("shows the way round", () => {
    const tree = {
      "packages/core/src/a.ts": '\nimport "./b.ts";',
      "packages/core/src/b.ts": 'import "./c.ts";',
      "packages/core/src/c.ts": '\n\nimport "./a.ts";',
    };
    expect(violations(tree)).toEqual([
      `packages/core/src/a.ts:2 imports "./b.ts", which leads back to this file: packages/core/src/a.ts:2 -> packages/core/src/b.ts:1 -> packages/core/src/c.ts:3 -> packages/core/src/a.ts. ${REASON}`,
    ]);
  });

  it("counts type imports", () => {
    const tree = {
      "packages/core/src/a.ts": 'import type { B } from "./b.ts";',
      "packages/core/src/b.ts": 'import type { A } from "./a.ts";',
    };
    expect(violations(tree)).toEqual([
      `packages/core/src/a.ts:1 imports "./b.ts", which leads back to this file: packages/core/src/a.ts:1 -> packages/core/src/b.ts:1 -> packages/core/src/a.ts. ${REASON}`,
    ]);
  });

  it("crosses packages", () => {
    const tree = {
      "packages/core/src/index.ts": 'import "@agents/http";',
      "packages/http/src/index.ts": 'import type { Agent } from "@agents/core";',
    };
    expect(violations(tree)).toEqual([
      `packages/core/src/index.ts:1 imports "@agents/http", which leads back to this file: packages/core/src/index.ts:1 -> packages/http/src/index.ts:1 -> packages/core/src/index.ts. ${REASON}`,
    ]);
  });

  it("sees a file that imports itself", () => {
    expect(violations({ "packages/core/src/a.ts": 'import "./a.ts";' })).toEqual([
      `packages/core/src/a.ts:1 imports "./a.ts", which leads back to this file: packages/core/src/a.ts:1 -> packages/core/src/a.ts. ${REASON}`,
    ]);
  });

  it("reports separate cycles one by one, and a tangle once, by its shortest cycle", () => {
    const tree = {
      "packages/core/src/a.ts": 'import "./b.ts"; import "./c.ts";',
      "packages/core/src/b.ts": 'import "./c.ts";',
      "packages/core/src/c.ts": 'import "./a.ts"; import "./x.ts";',
      "packages/core/src/x.ts": 'import "./y.ts";',
      "packages/core/src/y.ts": 'import "./x.ts";',
    };
    expect(violations(tree).map((line) => line.split(": ")[1]?.split(". ")[0])).toEqual([
      "packages/core/src/x.ts:1 -> packages/core/src/y.ts:1 -> packages/core/src/x.ts",
      "packages/core/src/a.ts:1 -> packages/core/src/c.ts:1 -> packages/core/src/a.ts",
    ]);
  });

  it("sees a cycle that also imports another one", () => {
    const tree = {
      "packages/core/src/a.ts": 'import "./b.ts";',
      "packages/core/src/b.ts": 'import "./a.ts";',
      "packages/core/src/c.ts": 'import "./a.ts"; import "./d.ts";',
      "packages/core/src/d.ts": 'import "./c.ts";',
    };
    expect(violations(tree).map((line) => line.split(" ")[0])).toEqual([
      "packages/core/src/a.ts:1",
      "packages/core/src/c.ts:1",
    ]);
  });
});
