import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { manifestLine } from "../graph/manifest-line.ts";
import { readImports } from "../graph/read-imports.ts";
import { isPublic, listFiles, type Workspace, type WorkspacePackage } from "../graph/workspace.ts";
import type { Violation } from "../violation.ts";

/** `exports` against `dist`: every file it names was built, and every file that was built is reached from one it names. */
export function checkBuiltExports(workspace: Workspace): Violation[] {
  return workspace.packages.filter(isPublic).flatMap((pkg) => checkPackage(workspace, pkg));
}

function checkPackage(workspace: Workspace, pkg: WorkspacePackage): Violation[] {
  const file = `${pkg.dir}/package.json`;
  const dist = `${pkg.dir}/dist`;
  if (!existsSync(join(workspace.root, dist))) {
    return [{ file, line: 1, message: `${pkg.name} is not built. Run its "build" script first.` }];
  }
  const built = new Set(listFiles(workspace.root, dist));
  const named = distTargets(pkg.manifest.exports).map((target) => ({ target, path: posix.join(pkg.dir, target) }));
  const missing = named.filter(({ path }) => !built.has(path));
  const reached = reachedFiles(
    workspace.root,
    built,
    named.map(({ path }) => path),
  );
  const unreached = [...built].filter((path) => /\.(?:c?js|d\.c?ts)$/.test(path) && !reached.has(path));
  const line = manifestLine(workspace, pkg, "exports");
  return [
    ...missing.map(({ target }) => ({
      file,
      line,
      message: `exports names ${target}, which the build did not make. Correct the path, or build again.`,
    })),
    ...unreached.map((path) => ({
      file: path,
      line: 1,
      message: `is built, but no subpath of ${pkg.name} leads to it. Add it to exports, or remove dist/ and build again.`,
    })),
  ];
}

function distTargets(exports: unknown): string[] {
  if (typeof exports === "string") return exports.startsWith("./dist/") ? [exports] : [];
  if (typeof exports !== "object" || exports === null) return [];
  return Object.values(exports).flatMap(distTargets);
}

function reachedFiles(root: string, built: ReadonlySet<string>, entries: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file) || !built.has(file)) continue;
    reached.add(file);
    const specifiers = readImports(file, readFileSync(join(root, file), "utf8")).map(({ specifier }) => specifier);
    for (const specifier of specifiers.filter((name) => name.startsWith("."))) {
      const path = posix.join(posix.dirname(file), specifier);
      // Declarations name the code beside them: "./status.js" in a .d.ts stands for status.d.ts.
      queue.push(/\.d\.c?ts$/.test(file) ? path.replace(/\.(c?)js$/, ".d.$1ts") : path);
    }
  }
  return reached;
}
