import { describe, expect, it } from "vitest";
import { makeRepository, manifest, type Tree } from "../../test/make-repository.ts";
import { readWorkspace } from "../graph/workspace.ts";
import { formatViolation } from "../violation.ts";
import { checkBuiltExports } from "./check-built-exports.ts";

const DIST = "packages/schema/dist";

const BASE: Tree = {
  "packages/schema/package.json": manifest("@agents/schema", ["error"]),
  [`${DIST}/error/index.js`]: 'export { AgentError } from "../chunk-A.js";',
  [`${DIST}/error/index.js.map`]: "{}",
  [`${DIST}/error/index.cjs`]: 'const chunk = require("../chunk-B.cjs");',
  [`${DIST}/error/index.d.ts`]: 'export { AgentError } from "../status-C.js";',
  [`${DIST}/error/index.d.cts`]: 'export { AgentError } from "../status-D.cjs";',
  [`${DIST}/chunk-A.js`]: "",
  [`${DIST}/chunk-B.cjs`]: "",
  [`${DIST}/status-C.d.ts`]: "",
  [`${DIST}/status-D.d.cts`]: "",
};

function violations(tree: Tree): string[] {
  return checkBuiltExports(readWorkspace(makeRepository(tree))).map(formatViolation);
}

describe("checkBuiltExports", () => {
  it("finds nothing where every named file is built and every built file is reached", () => {
    expect(violations(BASE)).toEqual([]);
  });

  it("names a file that is exported and not built", () => {
    const { [`${DIST}/error/index.d.cts`]: _types, [`${DIST}/status-D.d.cts`]: _chunk, ...rest } = BASE;
    expect(violations(rest)).toEqual([
      "packages/schema/package.json:13 exports names ./dist/error/index.d.cts, which the build did not make. Correct the path, or build again.",
    ]);
  });

  it.each(["sse/index.js", "sse/index.cjs", "sse/index.d.ts", "chunk-OLD.js"])(
    "names %s, which nothing leads to",
    (file) => {
      expect(violations({ ...BASE, [`${DIST}/${file}`]: "" })).toEqual([
        `${DIST}/${file}:1 is built, but no subpath of @agents/schema leads to it. Add it to exports, or remove dist/ and build again.`,
      ]);
    },
  );

  it("says when a package is not built", () => {
    expect(violations({ "packages/schema/package.json": manifest("@agents/schema", ["error"]) })).toEqual([
      'packages/schema/package.json:1 @agents/schema is not built. Run its "build" script first.',
    ]);
  });
});
