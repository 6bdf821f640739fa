import { posix } from "node:path";
import { type Import, type ImportGraph, targetFile } from "../graph/import-graph.ts";
import { withSpecifier } from "../graph/read-imports.ts";
import { isDevelopmentFile, type WorkspacePackage } from "../graph/workspace.ts";
import { type FolderRule, LAYER_TABLE_FILE, PACKAGE_LAYERS, type PackageLayer } from "../layer-table.ts";
import type { Violation } from "../violation.ts";

/**
 * The levels inside each package: a file imports from its own folder and from folders of lower levels. Files directly in
 * `src` stand above all folders. Tests and benchmarks see everything, since nothing imports them.
 */
export function checkFolderLayers(graph: ImportGraph): Violation[] {
  return graph.workspace.packages.flatMap((pkg) => {
    const layer = PACKAGE_LAYERS[pkg.name];
    if (pkg.group !== "packages" || !layer) return [];
    const sources = pkg.files.filter((file) => folderOf(pkg, file) !== undefined && !isDevelopmentFile(pkg, file));
    const imports = sources.flatMap((file) => graph.imports.get(file) ?? []);
    return [
      ...unlistedFolders(pkg, layer, sources),
      ...imports.flatMap((reference) => {
        const message = refuse(pkg, layer, reference);
        return message ? [{ file: reference.from, line: reference.line, message }] : [];
      }),
    ];
  });
}

/** The first folder below `src`, "" for a file directly in it, undefined outside of it. */
function folderOf(pkg: WorkspacePackage, file: string): string | undefined {
  const src = `${pkg.dir}/src/`;
  if (!file.startsWith(src)) return undefined;
  const inside = file.slice(src.length);
  return inside.includes("/") ? inside.slice(0, inside.indexOf("/")) : "";
}

function unlistedFolders(pkg: WorkspacePackage, layer: PackageLayer, sources: readonly string[]): Violation[] {
  const listed = new Set(layer.levels.flat().map(nameOf));
  const firstFile = new Map<string, string>();
  for (const file of sources) {
    const folder = folderOf(pkg, file);
    if (folder && !listed.has(folder) && !firstFile.has(folder)) firstFile.set(folder, file);
  }
  return [...firstFile].map(([folder, file]) => ({
    file,
    line: 1,
    message: `src/${folder}/ has no level. Add "${folder}" to the levels of "${pkg.name}" in ${LAYER_TABLE_FILE}, above the folders it imports.`,
  }));
}

function refuse(pkg: WorkspacePackage, layer: PackageLayer, reference: Import): string | undefined {
  const path = targetFile(reference);
  const from = folderOf(pkg, reference.from);
  const to = path === undefined ? undefined : folderOf(pkg, path);
  if (path === undefined || from === undefined || to === undefined || from === to) return undefined;
  const what = `imports "${reference.specifier}"`;
  if (to === "") {
    return `${what}, but files directly in src/ stand above src/${from}/. Import from the folder that defines it.`;
  }
  const allowed = allowedFolders(layer, from);
  if (!allowed) return undefined; // No level: reported once for the folder.
  if (!allowed.types.includes(to)) return `${what}, but ${describe(from, allowed)} ${MOVE_DOWN}`;
  if (!reference.typeOnly && !allowed.values.includes(to)) {
    return `${what} at run time, but ${describe(from, allowed)} Write ${asTypeImport(reference)}.`;
  }
  const index = `${pkg.dir}/src/${to}/index.ts`;
  if (layer.crossFolder === "file" || path === index) return undefined;
  const right = posix.relative(posix.dirname(reference.from), index);
  return `${what}, a file inside src/${to}/; other folders enter it through its index.ts, as users do. Write ${withSpecifier(reference, right)}.`;
}

const MOVE_DOWN = "Move what both folders need to a folder below both, or pass it in as an argument.";

interface Allowed {
  values: readonly string[];
  types: readonly string[];
}

function allowedFolders(layer: PackageLayer, folder: string): Allowed | undefined {
  if (folder === "") {
    const all = layer.levels.flat().map(nameOf);
    return { values: all, types: all };
  }
  const level = layer.levels.findIndex((rules) => rules.some((rule) => nameOf(rule) === folder));
  const rule = layer.levels[level]?.find((candidate) => nameOf(candidate) === folder);
  if (rule === undefined) return undefined;
  if (typeof rule !== "string") return rule;
  const lower = layer.levels.slice(0, level).flat().map(nameOf);
  return { values: lower, types: lower };
}

function describe(folder: string, { values, types }: Allowed): string {
  const list = (folders: readonly string[]) => folders.map((name) => `src/${name}/`).join(", ") || "no other folder";
  const onlyTypes = types.filter((name) => !values.includes(name));
  const suffix = onlyTypes.length === 0 ? "" : `, and types from ${list(onlyTypes)}`;
  return `src/${folder}/ may import ${list(values)}${suffix}.`;
}

/** `import { type A }` loads the module too, so the inner keywords go when the outer one comes. */
function asTypeImport({ statement }: Import): string {
  if (!/^(import|export) /.test(statement)) return "a type import instead";
  return statement.replace(/^(import|export) /, "$1 type ").replace(/([{,]) type /g, "$1 ");
}

function nameOf(rule: FolderRule): string {
  return typeof rule === "string" ? rule : rule.folder;
}
