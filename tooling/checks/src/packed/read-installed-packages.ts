import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { listFiles, type Manifest, type Workspace } from "../graph/workspace.ts";

/** The packages as they are installed in a project, with their built programs in place of sources. */
export function readInstalledPackages(dir: string, names: readonly string[]): Workspace {
  const packages = names.map((name) => {
    const folder = posix.join("node_modules", name);
    const manifest = JSON.parse(readFileSync(join(dir, folder, "package.json"), "utf8")) as Manifest;
    const files = listFiles(dir, posix.join(folder, "dist")).filter((file) => /\.c?js$/.test(file));
    return { name, group: "packages" as const, dir: folder, manifest, files };
  });
  return { root: dir, packages };
}
