import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { DEVELOPMENT_FOLDERS, type Group, TEMPLATE_FOLDERS } from "../layer-table.ts";

export type Dependencies = Readonly<Record<string, string>>;

/** The fields of package.json that the checks read. Unknown where a check has to find out what is there. */
export interface Manifest {
  name: string;
  private?: boolean;
  version?: string;
  exports?: unknown;
  scripts?: Readonly<Record<string, string>>;
  dependencies?: Dependencies;
  peerDependencies?: Dependencies;
  optionalDependencies?: Dependencies;
  devDependencies?: Dependencies;
  /** Development dependencies that the build puts into `dist`. */
  inlined?: readonly string[];
  [field: string]: unknown;
}

export interface WorkspacePackage {
  name: string;
  group: Group;
  /** Relative to the root, as is every path in `files`. */
  dir: string;
  manifest: Manifest;
  /** Program files: sources, tests and scripts, without what is built or installed. */
  files: readonly string[];
}

export interface Workspace {
  root: string;
  packages: readonly WorkspacePackage[];
}

const GROUPS: readonly Group[] = ["packages", "apps", "tooling"];
const PROGRAM_FILE = /\.[cm]?[jt]sx?$/;
const NOT_SOURCE: ReadonlySet<string> = new Set(["node_modules", "dist", ".git", ".turbo", "coverage"]);

/** The packages below packages/, apps/ and tooling/ (the folders of pnpm-workspace.yaml) and their program files. */
export function readWorkspace(root: string): Workspace {
  const packages = GROUPS.flatMap((group) =>
    subfolders(join(root, group))
      .map((name) => posix.join(group, name))
      .filter((dir) => existsSync(join(root, dir, "package.json")))
      .map((dir) => readPackage(root, group, dir)),
  );
  return { root, packages };
}

export function isPublic(pkg: WorkspacePackage): boolean {
  return pkg.manifest.private !== true;
}

/** Tests, benchmarks and configuration: nothing imports them and nobody installs them. */
export function isDevelopmentFile(pkg: WorkspacePackage, file: string): boolean {
  const inside = posix.relative(pkg.dir, file);
  if (/\.(test|bench|config)\.[cm]?[jt]sx?$/.test(inside)) return true;
  return DEVELOPMENT_FOLDERS.includes(inside.split("/")[0] ?? "");
}

/** Every file below `dir` that people wrote, relative to the root. */
export function listFiles(root: string, dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(dir, entry.name);
      if (entry.isFile()) return [path];
      return entry.isDirectory() && !NOT_SOURCE.has(entry.name) ? listFiles(root, path) : [];
    });
}

function readPackage(root: string, group: Group, dir: string): WorkspacePackage {
  const manifest = JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")) as Manifest;
  const files = listFiles(root, dir).filter((file) => PROGRAM_FILE.test(file) && !isTemplate(file));
  return { name: manifest.name, group, dir, manifest, files };
}

function isTemplate(file: string): boolean {
  return TEMPLATE_FOLDERS.some((folder) => file.startsWith(`${folder}/`));
}

function subfolders(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const entries = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.map((entry) => entry.name).sort();
}
