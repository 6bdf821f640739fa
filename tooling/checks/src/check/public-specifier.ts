import { posix } from "node:path";
import { SOURCE_CONDITION } from "@tooling/config/build";
import { exportedSubpaths, resolveExport } from "../graph/resolve-export.ts";
import type { WorkspacePackage } from "../graph/workspace.ts";

/**
 * The specifier by which others import what a file of the package defines: the entry itself, or the entry whose folder
 * the file is in. Undefined where no entry is that near.
 */
export function publicSpecifier(pkg: WorkspacePackage, file: string): string | undefined {
  const entries = exportedSubpaths(pkg.manifest.exports).flatMap((subpath) => {
    const source = resolveExport(pkg.manifest.exports, subpath, [SOURCE_CONDITION]);
    return source === undefined ? [] : [{ subpath, source: posix.join(pkg.dir, source) }];
  });
  const found =
    entries.find((entry) => entry.source === file) ??
    entries
      .filter((entry) => file.startsWith(`${posix.dirname(entry.source)}/`))
      .sort((a, b) => b.source.length - a.source.length)[0];
  return found && pkg.name + found.subpath.slice(1);
}
