import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { expectedExport } from "../src/check/check-package-exports.ts";

/** File contents by path. An object is written as JSON. */
export type Tree = Readonly<Record<string, string | object>>;

/** A repository in a temporary folder that is removed when the test ends. The tree is added to a root package.json. */
export function makeRepository(tree: Tree): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "checks-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeTree(root, { "package.json": { license: "Apache-2.0", engines: { node: ">=20.19" } }, ...tree });
  return root;
}

export function writeTree(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
}

/** A package.json without fault. `folders` are its subpaths, each with an index.ts; "." is src/index.ts. */
export function manifest(name: string, folders: readonly string[] = [], fields: object = {}): object {
  const entries = folders.map((folder) => [
    folder === "." ? "." : `./${folder}`,
    expectedExport(folder === "." ? "./src/index.ts" : `./src/${folder}/index.ts`),
  ]);
  return {
    name,
    description: "A fixture.",
    license: "Apache-2.0",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    files: ["dist"],
    exports: { ...Object.fromEntries(entries), "./package.json": "./package.json" },
    ...fields,
  };
}
