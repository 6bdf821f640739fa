import { posix } from "node:path";
import { allImports, type Import, type ImportGraph } from "../graph/import-graph.ts";
import { withSpecifier } from "../graph/read-imports.ts";
import { exportedSubpaths } from "../graph/resolve-export.ts";
import { isDevelopmentFile, type WorkspacePackage } from "../graph/workspace.ts";
import { GROUP_IMPORTS, LAYER_TABLE_FILE, PACKAGE_LAYERS } from "../layer-table.ts";
import type { Violation } from "../violation.ts";
import { publicSpecifier } from "./public-specifier.ts";

/**
 * The star of packages: which package imports which, and only by its name and an exported subpath. Tests, benchmarks and
 * configuration may import every workspace package, since nothing imports them; they too go through `exports`.
 */
export function checkPackageLayers(graph: ImportGraph): Violation[] {
  const unlisted = graph.workspace.packages.filter(isUnlisted).map((pkg) => ({
    file: `${pkg.dir}/package.json`,
    line: 1,
    message: `${pkg.name} is not in the layer table. Add it to PACKAGE_LAYERS in ${LAYER_TABLE_FILE}, with the packages it may import.`,
  }));
  const refused = allImports(graph).flatMap((reference) => {
    const message = refuse(graph, reference);
    return message ? [{ file: reference.from, line: reference.line, message }] : [];
  });
  return [...unlisted, ...refused];
}

function isUnlisted(pkg: WorkspacePackage): boolean {
  return pkg.group === "packages" && !Object.hasOwn(PACKAGE_LAYERS, pkg.name);
}

function refuse(graph: ImportGraph, reference: Import): string | undefined {
  const pkg = graph.ownerOf(reference.from);
  if (!pkg) return undefined;
  const { target, specifier } = reference;
  if (target.type === "path") return refusePath(graph, pkg, reference, target.file);
  if (target.type !== "workspace") return undefined;
  if (target.file === undefined) {
    const right = publicSpecifier(target.pkg, posix.join(target.pkg.dir, target.subpath));
    const write = right === undefined ? "" : ` Write ${withSpecifier(reference, right)}.`;
    return `imports "${specifier}", which is not in the exports of ${target.pkg.name}: ${subpathList(target.pkg)}.${write}`;
  }
  if (isDevelopmentFile(pkg, reference.from)) return undefined;
  if (target.pkg === pkg) {
    const path = relativeSpecifier(reference.from, target.file);
    return `imports its own package by name, which the bundler takes from dist/: a second copy. Write ${withSpecifier(reference, path)}.`;
  }
  return pkg.group === "packages" ? refuseLibrary(pkg, reference, target.pkg) : refuseGroup(pkg, reference, target.pkg);
}

function refusePath(graph: ImportGraph, pkg: WorkspacePackage, reference: Import, path: string): string | undefined {
  const owner = graph.ownerOf(path);
  if (owner === pkg) {
    if (!isDevelopmentFile(pkg, path) || isDevelopmentFile(pkg, reference.from)) return undefined;
    return `imports "${reference.specifier}", a test, benchmark or configuration file, which is not published. Move what both need to a file of its own in src/.`;
  }
  const what = `imports "${reference.specifier}", a path that leaves ${pkg.name}; the path does not exist where the package is installed.`;
  if (!owner) return `${what} Move the file into the package, or pass its content as an argument.`;
  const right = publicSpecifier(owner, path);
  if (right === undefined) return `${what} ${owner.name} exports ${subpathList(owner)}.`;
  return `${what} Write ${withSpecifier(reference, right)}.`;
}

function refuseLibrary(pkg: WorkspacePackage, reference: Import, imported: WorkspacePackage): string | undefined {
  const layer = PACKAGE_LAYERS[pkg.name];
  // A package that is not listed has one violation already, which says what to do.
  if (!layer) return undefined;
  if (layer.imports.includes(imported.name)) return undefined;
  const what = `imports "${reference.specifier}", but the sources of ${pkg.name} may import ${listOf(layer.imports)}.`;
  if (imported.group !== "packages") {
    return `${what} ${imported.name} is not published; only tests and benchmarks use it.`;
  }
  if (layer.imports.length === 0)
    return `${what} It is below all others: define the contract here, and let them import it.`;
  return `${what} What two packages share is a contract: import its type, ${asContract(reference)}, and take the implementation as an argument.`;
}

function refuseGroup(pkg: WorkspacePackage, reference: Import, imported: WorkspacePackage): string | undefined {
  if (pkg.group === "packages") return undefined;
  const { imports, reason } = GROUP_IMPORTS[pkg.group];
  if (imports.some((prefix) => imported.name.startsWith(prefix))) return undefined;
  const allowed = imports.map((prefix) => `${prefix}*`).join(", ");
  const where =
    pkg.group === "tooling" ? "Import it in a *.test.ts or *.bench.ts file." : "Import it in a test, or not at all.";
  return `imports "${reference.specifier}", but the sources of ${pkg.dir} may import ${allowed} only: ${reason}. ${where}`;
}

/** The refused statement as a type import from the ports: the names are a guess, the place is not. */
function asContract(reference: Import): string {
  const statement = withSpecifier(reference, "@agents/schema/port");
  return /^(import|export) \{/.test(statement) ? statement.replace(/^(import|export)/, "$1 type") : statement;
}

function relativeSpecifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

function subpathList(pkg: WorkspacePackage): string {
  return listOf(exportedSubpaths(pkg.manifest.exports).map((subpath) => `"${pkg.name}${subpath.slice(1)}"`));
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "no workspace package" : names.join(", ");
}
