import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * What is built in keeps its license: `dist/licenses/{name}.txt`. Throws when a package has none to copy.
 * @param {{ packageDir: string, names: readonly string[] }} options
 */
export function copyLicenses({ packageDir, names }) {
  if (names.length === 0) return;
  const target = join(packageDir, "dist", "licenses");
  mkdirSync(target, { recursive: true });
  for (const name of names) {
    const installed = join(packageDir, "node_modules", name);
    const file = readdirSync(installed).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no license file, so it cannot be built into a package.`);
    copyFileSync(join(installed, file), join(target, `${name.replace("/", "-")}.txt`));
  }
}
