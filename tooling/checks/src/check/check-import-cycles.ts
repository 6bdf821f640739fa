import { type Import, type ImportGraph, targetFile } from "../graph/import-graph.ts";
import type { Violation } from "../violation.ts";

/**
 * Import cycles among all files of the workspace, type imports and imports by package name included: Biome's
 * noImportCycles stops at both. One violation per group of files that reach each other, showing a shortest cycle.
 */
export function checkImportCycles(graph: ImportGraph): Violation[] {
  return stronglyConnected(graph).flatMap((group) => {
    const cycle = shortestCycle(graph, group);
    const [first] = cycle;
    if (!first) return [];
    const path = [...cycle.map((step) => `${step.from}:${step.line}`), first.from].join(" -> ");
    const message = `imports "${first.specifier}", which leads back to this file: ${path}. Files that import each other cannot be read or loaded one by one. Move what they share to a file that imports none of them.`;
    return [{ file: first.from, line: first.line, message }];
  });
}

/** Tarjan's algorithm: the groups of files that reach each other, files that import themselves included. */
function stronglyConnected(graph: ImportGraph): Set<string>[] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const groups: Set<string>[] = [];

  const visit = (file: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(file, own);
    stack.push(file);
    onStack.add(file);
    for (const next of successors(graph, file)) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, index.get(next) ?? own);
    }
    if (lowest === own) groups.push(new Set(popUntil(file)));
    return lowest;
  };
  const popUntil = (file: string): string[] => {
    const group = stack.splice(stack.lastIndexOf(file));
    for (const member of group) onStack.delete(member);
    return group;
  };

  for (const file of graph.imports.keys()) if (!index.has(file)) visit(file);
  return groups.filter((group) => group.size > 1 || [...group].some((file) => successors(graph, file).includes(file)));
}

/** Breadth first from the first file by name, so that the message is the same on every run. */
function shortestCycle(graph: ImportGraph, group: ReadonlySet<string>): readonly Import[] {
  const start = [...group].sort()[0] ?? "";
  const seen = new Set<string>();
  const queue: { file: string; path: readonly Import[] }[] = [{ file: start, path: [] }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const reference of graph.imports.get(next.file) ?? []) {
      const file = targetFile(reference);
      if (file === undefined || !group.has(file)) continue;
      const path = [...next.path, reference];
      if (file === start) return path;
      if (!seen.has(file)) queue.push({ file, path });
      seen.add(file);
    }
  }
  return [];
}

function successors(graph: ImportGraph, file: string): string[] {
  const files = (graph.imports.get(file) ?? []).map(targetFile);
  return files.filter((target) => target !== undefined && graph.imports.has(target)) as string[];
}
