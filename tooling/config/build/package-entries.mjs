import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The export condition that points at sources; see architecture/layers.md. */
export const SOURCE_CONDITION = "@agents/source";

/**
 * @typedef {object} PackageEntry
 * @property {string} subpath as in `exports`, "./wire"
 * @property {string} source "./src/wire/index.ts"
 * @property {string} output path of the built files below `dist`, without extension: "wire/index"
 */

/**
 * The entries of a package, read from its `exports`: the one list that the build, the checks and Node agree on.
 * Throws when a subpath has no source, because such a subpath could be published but never tested.
 * @param {string} packageDir
 * @returns {PackageEntry[]}
 */
export function packageEntries(packageDir) {
  const file = join(packageDir, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const entries = [];
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    if (subpath === "./package.json") continue;
    const source = target?.[SOURCE_CONDITION];
    if (typeof source !== "string" || !source.startsWith("./src/") || !/\.tsx?$/.test(source)) {
      throw new Error(
        `${file}: exports["${subpath}"] needs a "${SOURCE_CONDITION}" that names a file below ./src/, got ${JSON.stringify(source)}.`,
      );
    }
    entries.push({ subpath, source, output: source.slice("./src/".length).replace(/\.tsx?$/, "") });
  }
  if (entries.length === 0) throw new Error(`${file}: exports names no entry; add one with a "${SOURCE_CONDITION}".`);
  return entries;
}
