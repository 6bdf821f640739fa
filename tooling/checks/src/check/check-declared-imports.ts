import { allImports, type Import, type ImportGraph } from "../graph/import-graph.ts";
import { isDevelopmentFile, isPublic, type Manifest, type WorkspacePackage } from "../graph/workspace.ts";
import type { Violation } from "../violation.ts";

type DependencyField = "dependencies" | "peerDependencies" | "optionalDependencies" | "devDependencies";

const INSTALLED: readonly DependencyField[] = ["dependencies", "peerDependencies", "optionalDependencies"];

/**
 * A package declares what it imports, types included, and what it makes users install is imported. Without the first a
 * package works only where a neighbour happens to have installed the dependency.
 */
export function checkDeclaredImports(graph: ImportGraph): Violation[] {
  const undeclared = allImports(graph).flatMap((reference) => {
    const message = refuse(graph, reference);
    return message ? [{ file: reference.from, line: reference.line, message }] : [];
  });
  return [...undeclared, ...graph.workspace.packages.filter(isPublic).flatMap((pkg) => unusedDependencies(graph, pkg))];
}

function refuse(graph: ImportGraph, reference: Import): string | undefined {
  const pkg = graph.ownerOf(reference.from);
  const name = importedPackage(reference);
  if (!pkg || name === undefined || name === pkg.name) return undefined;
  const development = isDevelopmentFile(pkg, reference.from);
  // Tooling is never installed without its development dependencies, so the difference means nothing there.
  const fields: readonly DependencyField[] =
    development || pkg.group === "tooling" ? [...INSTALLED, "devDependencies"] : INSTALLED;
  if (fields.some((field) => declares(pkg.manifest, field, name, reference.typeOnly))) return undefined;
  if (isInlined(pkg.manifest, name)) return undefined;
  const where = fields === INSTALLED && declares(pkg.manifest, "devDependencies", name, reference.typeOnly);
  const range = reference.target.type === "workspace" ? "workspace:^" : "catalog:";
  const field = development ? "devDependencies" : "dependencies";
  return where
    ? `imports "${reference.specifier}", which ${pkg.name} has in devDependencies only; users would not get it. Move "${name}": "${range}" to dependencies or peerDependencies of ${pkg.dir}/package.json.`
    : `imports "${reference.specifier}", which ${pkg.name} does not declare. Add "${name}": "${range}" to ${field} of ${pkg.dir}/package.json.`;
}

/** Built into `dist`, so that users get it without installing it. */
function isInlined({ inlined, devDependencies = {} }: Manifest, name: string): boolean {
  return (inlined ?? []).includes(name) && Object.hasOwn(devDependencies, name);
}

/** For a type import the types package is as good as the package. */
function declares(manifest: Manifest, field: DependencyField, name: string, typeOnly: boolean): boolean {
  const declared = manifest[field] ?? {};
  return Object.hasOwn(declared, name) || (typeOnly && Object.hasOwn(declared, typesPackageOf(name)));
}

function unusedDependencies(graph: ImportGraph, pkg: WorkspacePackage): Violation[] {
  const sources = pkg.files.filter((file) => !isDevelopmentFile(pkg, file));
  const used = new Set(sources.flatMap((file) => graph.imports.get(file) ?? []).map(importedPackage));
  return Object.keys(pkg.manifest.dependencies ?? {})
    .filter((name) => !used.has(name) && ![...used].some((other) => other && typesPackageOf(other) === name))
    .map((name) => ({
      file: `${pkg.dir}/package.json`,
      line: 1,
      message: `dependencies has "${name}", which no source file of ${pkg.name} imports; every user would install it. Remove it, or move it to devDependencies if tests use it.`,
    }));
}

function importedPackage({ target }: Import): string | undefined {
  if (target.type === "external") return target.packageName;
  return target.type === "workspace" ? target.pkg.name : undefined;
}

function typesPackageOf(name: string): string {
  return `@types/${name.replace(/^@/, "").replace("/", "__")}`;
}
