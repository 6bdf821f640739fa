import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { type ImportReference, readImports } from "./read-imports.ts";
import { resolveExport } from "./resolve-export.ts";
import type { Workspace, WorkspacePackage } from "./workspace.ts";

export type ImportTarget =
  /** By path. `exists` is false for a file that is not among the packages' files, JSON for instance. */
  | { type: "path"; file: string; exists: boolean }
  /** By the name of a workspace package. `file` is undefined where its `exports` do not have the subpath. */
  | { type: "workspace"; pkg: WorkspacePackage; subpath: string; file: string | undefined }
  /** With the `node:` prefix, written or not. */
  | { type: "builtin"; name: string }
  | { type: "external"; packageName: string };

export interface Import extends ImportReference {
  /** The file that imports, relative to the root. */
  from: string;
  target: ImportTarget;
}

export interface ImportGraph {
  workspace: Workspace;
  /** For every program file of the workspace what it imports, in the order of the text. */
  imports: ReadonlyMap<string, readonly Import[]>;
  /** The package whose folder holds the path. */
  ownerOf(path: string): WorkspacePackage | undefined;
}

/** Reads and resolves all imports. The conditions say which files of a package its name stands for: sources or built. */
export function readImportGraph(workspace: Workspace, conditions: readonly string[]): ImportGraph {
  const files = new Set(workspace.packages.flatMap((pkg) => pkg.files));
  const byName = new Map(workspace.packages.map((pkg) => [pkg.name, pkg]));
  const resolve = (from: string, specifier: string): ImportTarget => {
    if (/^\.{0,2}\//.test(specifier) || /^\.{1,2}$/.test(specifier)) return resolvePath(files, from, specifier);
    if (isBuiltin(specifier)) return { type: "builtin", name: `node:${specifier.replace(/^node:/, "")}` };
    const packageName = packageNameOf(specifier);
    const pkg = byName.get(packageName);
    if (!pkg) return { type: "external", packageName };
    const subpath = `.${specifier.slice(packageName.length)}`;
    const file = resolveExport(pkg.manifest.exports, subpath, conditions);
    return { type: "workspace", pkg, subpath, file: file && posix.join(pkg.dir, file) };
  };
  const imports = new Map<string, readonly Import[]>();
  for (const file of files) {
    const references = readImports(file, readFileSync(join(workspace.root, file), "utf8"));
    imports.set(
      file,
      references.map((reference) => ({ ...reference, from: file, target: resolve(file, reference.specifier) })),
    );
  }
  const ownerOf = (path: string) => workspace.packages.find((pkg) => path.startsWith(`${pkg.dir}/`));
  return { workspace, imports, ownerOf };
}

export function allImports(graph: ImportGraph): Import[] {
  return [...graph.imports.values()].flat();
}

/** The workspace file that an import leads to, if it leads to one. */
export function targetFile({ target }: Import): string | undefined {
  return target.type === "path" || target.type === "workspace" ? target.file : undefined;
}

function resolvePath(files: ReadonlySet<string>, from: string, specifier: string): ImportTarget {
  const path = specifier.startsWith("/") ? specifier : posix.join(posix.dirname(from), specifier);
  // TypeScript lets "./a.js" stand for a.ts, and "./a" for a.ts under bundler resolution.
  const stem = path.replace(/\.([cm]?)jsx?$/, ".$1");
  const candidates = [path, `${stem}ts`, `${stem}tsx`, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`];
  const file = candidates.find((candidate) => files.has(candidate));
  return { type: "path", file: file ?? path, exists: file !== undefined };
}

function packageNameOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
