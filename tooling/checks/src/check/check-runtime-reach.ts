import { posix } from "node:path";
import { type Import, type ImportGraph, targetFile } from "../graph/import-graph.ts";
import { exportedSubpaths, resolveExport } from "../graph/resolve-export.ts";
import type { WorkspacePackage } from "../graph/workspace.ts";
import { PACKAGE_LAYERS } from "../layer-table.ts";
import type { Violation } from "../violation.ts";

/**
 * What each entry loads at run time, against the `reach` rules of its package. Follows run-time imports through files and
 * workspace packages, and stops at installed ones. Works on sources and on built files; the graph says which by its
 * conditions, which must be the ones given here.
 */
export function checkRuntimeReach(graph: ImportGraph, conditions: readonly string[]): Violation[] {
  return graph.workspace.packages.flatMap((pkg) =>
    exportedSubpaths(pkg.manifest.exports).flatMap((subpath) => checkEntry(graph, pkg, subpath, conditions)),
  );
}

/** Each installed package or Node module that the entry loads, with the imports that lead to it, entry first. */
export function runtimeReach(graph: ImportGraph, entry: string): Map<string, readonly Import[]> {
  const reached = new Map<string, readonly Import[]>();
  const seen = new Set([entry]);
  const queue: { file: string; path: readonly Import[] }[] = [{ file: entry, path: [] }];
  // Breadth first, so that the path a message shows is a shortest one.
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const reference of graph.imports.get(next.file) ?? []) {
      if (reference.typeOnly) continue;
      const path = [...next.path, reference];
      const file = targetFile(reference);
      const name = moduleName(reference);
      if (name !== undefined && !reached.has(name)) reached.set(name, path);
      if (file !== undefined && !seen.has(file)) {
        seen.add(file);
        queue.push({ file, path });
      }
    }
  }
  return reached;
}

function checkEntry(
  graph: ImportGraph,
  pkg: WorkspacePackage,
  subpath: string,
  conditions: readonly string[],
): Violation[] {
  const rules = (PACKAGE_LAYERS[pkg.name]?.reach ?? []).filter((rule) => !rule.allowed.includes(subpath));
  const source = resolveExport(pkg.manifest.exports, subpath, conditions);
  if (rules.length === 0 || source === undefined) return [];
  const entry = pkg.name + subpath.slice(1);
  return [...runtimeReach(graph, posix.join(pkg.dir, source))].flatMap(([name, path]) => {
    const rule = rules.find(({ module }) => name === module || (module.endsWith(":") && name.startsWith(module)));
    if (!rule) return [];
    // Where the way leads through an entry that may load the module, the step to that entry is the wrong one.
    const permitted = permittedEntries(graph, rule.module, conditions);
    const wrong = path.find((step) => permitted.has(targetFile(step) ?? "")) ?? path.at(-1);
    if (!wrong) return [];
    const steps = [...path.map((step) => `${step.from}:${step.line}`), name].join(" -> ");
    const message = `imports "${wrong.specifier}", which makes "${entry}" load ${name} at run time: ${steps}. But ${rule.reason}. ${rule.instead}`;
    return [{ file: wrong.from, line: wrong.line, message }];
  });
}

function permittedEntries(graph: ImportGraph, module: string, conditions: readonly string[]): Set<string> {
  const entries = graph.workspace.packages.flatMap((pkg) => {
    const rule = PACKAGE_LAYERS[pkg.name]?.reach.find((candidate) => candidate.module === module);
    return (rule?.allowed ?? []).flatMap((subpath) => {
      const file = resolveExport(pkg.manifest.exports, subpath, conditions);
      return file === undefined ? [] : [posix.join(pkg.dir, file)];
    });
  });
  return new Set(entries);
}

function moduleName({ target }: Import): string | undefined {
  if (target.type === "builtin") return target.name;
  return target.type === "external" ? target.packageName : undefined;
}
