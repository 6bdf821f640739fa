import { describe, expect, it } from "vitest";
import { readImports, withSpecifier } from "./read-imports.ts";

describe("readImports", () => {
  it.each([
    ['import { a } from "x";', false],
    ['import "x";', false],
    ['import * as x from "x";', false],
    ['import type { A } from "x";', true],
    ['import type X from "x";', true],
    // Under verbatimModuleSyntax this still loads the module.
    ['import { type A } from "x";', false],
    ['export { a } from "x";', false],
    ['export * from "x";', false],
    ['export type { A } from "x";', true],
    ['export type * from "x";', true],
    ['const x = await import("x");', false],
    ['const x = require("x");', false],
    ['import x = require("x");', false],
    ['import type x = require("x");', true],
    ['let a: import("x").A;', true],
    ['let a: typeof import("x");', true],
    ["const x = await import(`x`);", false],
  ])("reads %s as type-only: %s", (text, typeOnly) => {
    expect(readImports("a.ts", text)).toMatchObject([{ specifier: "x", line: 1, typeOnly }]);
  });

  it.each(['const text = "import { a } from x";', '// import "x"', 'load("x");', "import(name);", "export { a };"])(
    "finds no import in %s",
    (text) => {
      expect(readImports("a.ts", text)).toEqual([]);
    },
  );

  it("gives the line where the statement starts, and the statement on one line", () => {
    const [found] = readImports("a.tsx", '// first\n\nimport {\n  a,\n  b\n} from "x";\nconst c = <p>import</p>;');
    expect(found).toEqual({ specifier: "x", line: 3, typeOnly: false, statement: 'import { a, b } from "x"' });
  });

  it("shows a statement with another specifier, also where an imported name has the same letters", () => {
    const [found] = readImports("a.ts", 'import { x } from "x";');
    expect(found && withSpecifier(found, "y/z")).toBe('import { x } from "y/z"');
  });
});
