import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isPublic, type Workspace, type WorkspacePackage } from "../graph/workspace.ts";
import { runCommand } from "./run-command.ts";

export interface PackedPackage {
  pkg: WorkspacePackage;
  /** Path of the .tgz that would be published. */
  tarball: string;
}

/**
 * Builds all public packages and packs them into `destination`. Turbo builds only what has changed since its last build,
 * which in `npm test` was a forced one; a dist/ that does not fit the sources is replaced.
 */
export async function packPackages(workspace: Workspace, destination: string): Promise<PackedPackage[]> {
  const packages = workspace.packages.filter(isPublic);
  // An old dist/ must not stand in for a build that made nothing.
  for (const pkg of packages) rmSync(join(workspace.root, pkg.dir, "dist"), { recursive: true, force: true });
  const filters = packages.map((pkg) => `--filter=${pkg.name}`);
  await pnpm(workspace, ["exec", "turbo", "run", "build", ...filters]);
  await pnpm(workspace, [...filters, "pack", "--pack-destination", destination]);
  return packages.map((pkg) => ({ pkg, tarball: join(destination, tarballName(pkg)) }));
}

/** pnpm, because it alone turns `workspace:` and `catalog:` ranges into versions, and turbo looks for it; through npx, as it may not be installed. */
async function pnpm({ root }: Workspace, args: readonly string[]): Promise<void> {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string };
  await runCommand("npx", ["--yes", packageManager, ...args], root);
}

function tarballName({ name, manifest }: WorkspacePackage): string {
  return `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
}
