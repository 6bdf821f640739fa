import { join, posix } from "node:path";
import { packageEntries, SOURCE_CONDITION } from "@tooling/config/build";
import { manifestLine } from "../graph/manifest-line.ts";
import { exportedSubpaths } from "../graph/resolve-export.ts";
import { isPublic, type Workspace, type WorkspacePackage } from "../graph/workspace.ts";
import { PACKAGE_LAYERS } from "../layer-table.ts";
import type { Violation } from "../violation.ts";

/** `exports` against the sources: each subpath has a source and leads to what the build makes of it, and none is left out. */
export function checkPackageExports(workspace: Workspace): Violation[] {
  return workspace.packages.filter(isPublic).flatMap((pkg) => {
    const problems = [...wrongTargets(workspace, pkg), ...missingSubpaths(pkg)];
    const file = `${pkg.dir}/package.json`;
    return problems.map(({ key, message }) => ({ file, line: manifestLine(workspace, pkg, key), message }));
  });
}

/** What `exports` has for a source file: types before code, as TypeScript needs it, and both module formats. */
export function expectedExport(source: string): unknown {
  const output = `./dist/${source.slice("./src/".length).replace(/\.tsx?$/, "")}`;
  return {
    [SOURCE_CONDITION]: source,
    import: { types: `${output}.d.ts`, default: `${output}.js` },
    require: { types: `${output}.d.cts`, default: `${output}.cjs` },
  };
}

interface Problem {
  key: string;
  message: string;
}

function wrongTargets(workspace: Workspace, pkg: WorkspacePackage): Problem[] {
  const exports = (pkg.manifest.exports ?? {}) as Readonly<Record<string, unknown>>;
  const problems = exports["./package.json"] === "./package.json" ? [] : [PACKAGE_JSON];
  try {
    for (const { subpath, source } of packageEntries(join(workspace.root, pkg.dir))) {
      const expected = JSON.stringify(expectedExport(source));
      if (!pkg.files.includes(posix.join(pkg.dir, source))) {
        const message = `exports["${subpath}"] names ${source}, which does not exist. Add the file, or remove the subpath.`;
        problems.push({ key: subpath, message });
      } else if (JSON.stringify(exports[subpath]) !== expected) {
        const message = `exports["${subpath}"] does not lead to what is built from ${source}. Write ${expected}, in this order.`;
        problems.push({ key: subpath, message });
      }
    }
  } catch (error) {
    // The build stops with the same words; they name the subpath and what it needs.
    const message = (error as Error).message.replace(join(workspace.root, pkg.dir, "package.json"), pkg.name);
    problems.push({ key: "exports", message });
  }
  return problems;
}

const PACKAGE_JSON: Problem = {
  key: "exports",
  message: `exports has no "./package.json", which bundlers and version checks read. Write "./package.json": "./package.json".`,
};

function missingSubpaths(pkg: WorkspacePackage): Problem[] {
  const { crossFolder, internal = [] } = PACKAGE_LAYERS[pkg.name] ?? {};
  const indexes = pkg.files.flatMap((file) => {
    const match = /^src\/(?:([^/]+)\/)?index\.tsx?$/.exec(posix.relative(pkg.dir, file));
    if (!match) return [];
    const folder = match[1];
    if (folder === undefined) return [{ file, subpath: "." }];
    return crossFolder !== "index" || internal.includes(folder) ? [] : [{ file, subpath: `./${folder}` }];
  });
  const exported = exportedSubpaths(pkg.manifest.exports);
  return indexes
    .filter(({ subpath }) => !exported.includes(subpath))
    .map(({ file, subpath }) => {
      const target = JSON.stringify(expectedExport(`./${posix.relative(pkg.dir, file)}`));
      return { key: "exports", message: `exports leaves out ${file}. Add "${subpath}": ${target}.` };
    });
}
