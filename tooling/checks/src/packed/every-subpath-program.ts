import { exportedSubpaths } from "../graph/resolve-export.ts";
import type { WorkspacePackage } from "../graph/workspace.ts";
import { PACKAGE_LAYERS } from "../layer-table.ts";

export interface EverySubpathOptions {
  /** Only the entries that the layer table keeps free of Node modules. */
  browserOnly: boolean;
}

/** A program that imports every subpath of the packages and prints the names that each exports, as JSON. */
export function everySubpathProgram(
  packages: readonly WorkspacePackage[],
  { browserOnly }: EverySubpathOptions,
): string {
  const specifiers = packages.flatMap((pkg) =>
    exportedSubpaths(pkg.manifest.exports)
      .filter((subpath) => !browserOnly || isBrowserSafe(pkg.name, subpath))
      .map((subpath) => pkg.name + subpath.slice(1)),
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
