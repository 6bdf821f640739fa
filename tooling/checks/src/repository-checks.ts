import { SOURCE_CONDITION } from "@tooling/config/build";
import { checkBuiltExports } from "./check/check-built-exports.ts";
import { checkChangesets } from "./check/check-changesets.ts";
import { checkDeclaredImports } from "./check/check-declared-imports.ts";
import { checkFolderLayers } from "./check/check-folder-layers.ts";
import { checkImportCycles } from "./check/check-import-cycles.ts";
import { checkMachinePaths } from "./check/check-machine-paths.ts";
import { checkPackageExports } from "./check/check-package-exports.ts";
import { checkPackageLayers } from "./check/check-package-layers.ts";
import { checkPackageManifests } from "./check/check-package-manifests.ts";
import { checkRuntimeReach } from "./check/check-runtime-reach.ts";
import { checkTestFocus } from "./check/check-test-focus.ts";
import { allImports, type ImportGraph, readImportGraph } from "./graph/import-graph.ts";
import { readWorkspace } from "./graph/workspace.ts";
import type { Violation } from "./violation.ts";

export interface CheckResult {
  name: string;
  violations: readonly Violation[];
}

export interface CheckReport {
  /** What was looked at, so that a check over nothing does not pass unseen. */
  counts: { packages: number; files: number; imports: number };
  results: readonly CheckResult[];
}

export interface RunChecksOptions {
  /** Also compare `exports` with dist/. Off by default, because a dist/ older than the sources says nothing. */
  built?: boolean;
}

type Check = (graph: ImportGraph) => Violation[];

const SOURCE_CHECKS: Readonly<Record<string, Check>> = {
  "package layers": checkPackageLayers,
  "folder layers": checkFolderLayers,
  "run-time reach": (graph) => checkRuntimeReach(graph, [SOURCE_CONDITION]),
  "import cycles": checkImportCycles,
  "declared imports": checkDeclaredImports,
  "package manifests": ({ workspace }) => checkPackageManifests(workspace),
  "package exports": ({ workspace }) => checkPackageExports(workspace),
  "test focus": ({ workspace }) => checkTestFocus(workspace),
  changesets: ({ workspace }) => checkChangesets(workspace),
  "machine paths": ({ workspace }) => checkMachinePaths(workspace),
};

const BUILT_CHECKS: Readonly<Record<string, Check>> = {
  "built exports": ({ workspace }) => checkBuiltExports(workspace),
};

/** Runs every check on the repository at `root`. Reads files only: nothing is built, installed or written. */
export function runRepositoryChecks(root: string, { built = false }: RunChecksOptions = {}): CheckReport {
  const workspace = readWorkspace(root);
  const graph = readImportGraph(workspace, [SOURCE_CONDITION]);
  const checks = { ...SOURCE_CHECKS, ...(built ? BUILT_CHECKS : {}) };
  return {
    counts: { packages: workspace.packages.length, files: graph.imports.size, imports: allImports(graph).length },
    results: Object.entries(checks).map(([name, check]) => ({ name, violations: check(graph) })),
  };
}
