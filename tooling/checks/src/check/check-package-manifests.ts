import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { manifestLine } from "../graph/manifest-line.ts";
import { isPublic, type Manifest, type Workspace, type WorkspacePackage } from "../graph/workspace.ts";
import type { Group } from "../layer-table.ts";
import type { Violation } from "../violation.ts";

interface FieldRule {
  key: string;
  /** The value it must have, given the package.json of the repository. */
  right: (root: Manifest) => unknown;
  reason: string;
}

const PUBLIC_FIELDS: readonly FieldRule[] = [
  { key: "type", right: () => "module", reason: "the built .js files are ES modules" },
  { key: "license", right: (root) => root.license, reason: "all packages have the license of the repository" },
  { key: "sideEffects", right: () => false, reason: "bundlers then drop the entries and functions nobody uses" },
  { key: "engines", right: (root) => root.engines, reason: "all packages run where the repository is tested" },
];

const NAME_PREFIX: Readonly<Partial<Record<Group, string>>> = { packages: "@agents/", tooling: "@tooling/" };

/** What package.json must say, so that a package can be published, or cannot be by accident. */
export function checkPackageManifests(workspace: Workspace): Violation[] {
  const root = JSON.parse(readFileSync(join(workspace.root, "package.json"), "utf8")) as Manifest;
  const names = new Map(workspace.packages.map((pkg) => [pkg.name, pkg]));
  return workspace.packages.flatMap((pkg) => {
    const problems = [
      ...identity(pkg),
      ...(isPublic(pkg) ? [...publicFields(pkg, root), ...publicFiles(workspace, pkg)] : []),
      ...ranges(pkg, names),
    ];
    const file = `${pkg.dir}/package.json`;
    return problems.map(({ key, message }) => ({ file, line: manifestLine(workspace, pkg, key), message }));
  });
}

interface Problem {
  key: string;
  message: string;
}

function identity(pkg: WorkspacePackage): Problem[] {
  const problems: Problem[] = [];
  const prefix = NAME_PREFIX[pkg.group];
  const name = `${prefix}${posix.basename(pkg.dir)}`;
  if (prefix && pkg.name !== name) {
    problems.push({ key: "name", message: `name is "${pkg.name}"; a package in ${pkg.dir} is called "${name}".` });
  }
  if (pkg.group !== "packages" && isPublic(pkg)) {
    const message = `${pkg.name} could be published by accident; only packages/* are. Add "private": true.`;
    problems.push({ key: "name", message });
  }
  return problems;
}

function publicFields(pkg: WorkspacePackage, root: Manifest): Problem[] {
  const problems = PUBLIC_FIELDS.flatMap(({ key, right, reason }) => {
    const [is, expected] = [JSON.stringify(pkg.manifest[key]), JSON.stringify(right(root))];
    return is === expected ? [] : [{ key, message: `${key} is ${is}, but ${reason}. Write "${key}": ${expected}.` }];
  });
  const { description, files } = pkg.manifest;
  if (typeof description !== "string" || description === "") {
    problems.push({
      key: "name",
      message: `description is missing; registries show it. Say in one sentence what it is.`,
    });
  }
  if (!Array.isArray(files) || !files.includes("dist")) {
    const message = `files is ${JSON.stringify(files)}; without "dist" nothing that runs is published. Write "files": ["dist", …].`;
    problems.push({ key: "files", message });
  }
  return problems;
}

function publicFiles(workspace: Workspace, pkg: WorkspacePackage): Problem[] {
  if (existsSync(join(workspace.root, pkg.dir, "README.md"))) return [];
  const message = `README.md is missing. Add ${pkg.dir}/README.md: one sentence, install, a program that runs, options.`;
  return [{ key: "name", message }];
}

const RANGE_FIELDS = ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"] as const;

/** One version of each dependency in the repository, and of each other always the one that is here. */
function ranges(pkg: WorkspacePackage, names: ReadonlyMap<string, WorkspacePackage>): Problem[] {
  return RANGE_FIELDS.flatMap((field) =>
    Object.entries(pkg.manifest[field] ?? {}).flatMap(([name, range]) => {
      const message = refuseRange(pkg, field, { name, range, workspacePackage: names.get(name) });
      return message ? [{ key: name, message: `${field} has "${name}": "${range}". ${message}` }] : [];
    }),
  );
}

interface DeclaredRange {
  name: string;
  range: string;
  workspacePackage: WorkspacePackage | undefined;
}

function refuseRange(
  pkg: WorkspacePackage,
  field: (typeof RANGE_FIELDS)[number],
  { name, range, workspacePackage }: DeclaredRange,
): string | undefined {
  const isWorkspaceRange = range.startsWith("workspace:");
  if (workspacePackage && !isWorkspaceRange) {
    return `${name} is in this repository, but the range may install another version. Write "workspace:^".`;
  }
  if (!workspacePackage && isWorkspaceRange) {
    return "No package of this repository has that name. Correct the name or the range.";
  }
  if (workspacePackage && isPublic(pkg) && field !== "devDependencies" && !isPublic(workspacePackage)) {
    return `${name} is private, so users of ${pkg.name} could not install it. Move it to devDependencies.`;
  }
  // A peer range is a promise to users and may be wider than the version we test with.
  const ownRange = !workspacePackage && field !== "peerDependencies" && range !== "catalog:";
  return ownRange
    ? `Versions are kept in one place. Add it to the catalog of pnpm-workspace.yaml and write "catalog:".`
    : undefined;
}
