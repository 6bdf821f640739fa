import { describe, expect, it } from "vitest";
import { exportedSubpaths, resolveExport } from "./resolve-export.ts";

const EXPORTS = {
  ".": { source: "./src/index.ts", import: { types: "./index.d.ts", default: "./index.js" }, require: "./index.cjs" },
  "./one": "./one.js",
  "./many/*": "./files/*",
  "./browser": { browser: "./browser.js" },
  "./package.json": "./package.json",
};

describe("resolveExport", () => {
  it.each([
    [".", ["source", "import"], "./src/index.ts"],
    [".", ["import"], "./index.js"],
    [".", ["import", "types"], "./index.d.ts"],
    [".", ["require"], "./index.cjs"],
    [".", [], undefined],
    ["./one", [], "./one.js"],
    ["./many/a/b.json", [], "./files/a/b.json"],
    ["./many/", [], undefined],
    ["./browser", ["import"], undefined],
    ["./other", ["import"], undefined],
  ])("resolves %s under %j to %s", (subpath, conditions, file) => {
    expect(resolveExport(EXPORTS, subpath, conditions)).toBe(file);
  });

  it("reads a string or a bare object of conditions as the root entry", () => {
    expect(resolveExport("./a.js", ".", [])).toBe("./a.js");
    expect(resolveExport({ import: "./a.js" }, ".", ["import"])).toBe("./a.js");
    expect(resolveExport(undefined, ".", ["import"])).toBeUndefined();
  });

  it("lists what programs import", () => {
    expect(exportedSubpaths(EXPORTS)).toEqual([".", "./one", "./many/*", "./browser"]);
  });
});
