import { exportedSubpaths } from "../graph/resolve-export.ts";
import type { WorkspacePackage } from "../graph/workspace.ts";
import { PACKAGE_LAYERS } from "../layer-table.ts";

export interface EverySubpathOptions {
  /** Only the entries that the layer table keeps free of Node modules. */
  browserOnly: boolean;
}

/** The entries of a package that a plain program can import. */
export function importableEntries({ name, manifest }: WorkspacePackage): string[] {
  const { insideTestRunner = [] } = PACKAGE_LAYERS[name] ?? {};
  return exportedSubpaths(manifest.exports)
    .filter((subpath) => !insideTestRunner.includes(subpath))
    .map((subpath) => name + subpath.slice(1));
}

/** A program that imports every subpath of the packages and prints the names that each exports, as JSON. */
export function everySubpathProgram(
  packages: readonly WorkspacePackage[],
  { browserOnly }: EverySubpathOptions,
): string {
  const specifiers = packages.flatMap((pkg) =>
    importableEntries(pkg).filter(
      (entry) => !browserOnly || isBrowserSafe(pkg.name, `.${entry.slice(pkg.name.length)}`),
    ),
  );
  const imports = specifiers.map((specifier, index) => `import * as entry${index} from "${specifier}";`);
  const entries = specifiers.map((specifier, index) => `  "${specifier}": namesOf(entry${index}),`);
  return [...imports, NAMES_OF, "const names = {", ...entries, "};", "console.log(JSON.stringify(names));", ""].join(
    "\n",
  );
}

/** We export no default; the one that CommonJS programs see is put there by the compiler's own import code. */
const NAMES_OF = `function namesOf(entry: object): string[] {
  return Object.keys(entry).filter((name) => name !== "default").sort();
}`;

function isBrowserSafe(name: string, subpath: string): boolean {
  const rule = PACKAGE_LAYERS[name]?.reach.find(({ module }) => module === "node:");
  return rule !== undefined && !rule.allowed.includes(subpath);
}
