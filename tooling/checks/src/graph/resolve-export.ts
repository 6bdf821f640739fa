/**
 * The file that `exports` gives for a subpath ("." or "./wire") under the conditions, or undefined where the subpath is
 * not exported or no condition fits. Follows Node: the first matching condition in the order of the object wins.
 */
export function resolveExport(exports: unknown, subpath: string, conditions: readonly string[]): string | undefined {
  const map = subpathMap(exports);
  const exact = map[subpath];
  if (exact !== undefined) return pickTarget(exact, conditions);
  for (const [pattern, target] of Object.entries(map)) {
    const [before, after] = pattern.split("*");
    if (before === undefined || after === undefined) continue;
    const fits = subpath.startsWith(before) && subpath.endsWith(after) && subpath.length > before.length + after.length;
    if (!fits) continue;
    const star = subpath.slice(before.length, subpath.length - after.length);
    return pickTarget(target, conditions)?.replaceAll("*", star);
  }
  return undefined;
}

/** The subpaths that programs import: all but ./package.json. */
export function exportedSubpaths(exports: unknown): string[] {
  return Object.keys(subpathMap(exports)).filter((subpath) => subpath !== "./package.json");
}

function subpathMap(exports: unknown): Readonly<Record<string, unknown>> {
  if (exports === undefined || exports === null) return {};
  if (!isRecord(exports)) return { ".": exports };
  return Object.keys(exports).some((key) => key.startsWith(".")) ? exports : { ".": exports };
}

function pickTarget(target: unknown, conditions: readonly string[]): string | undefined {
  if (typeof target === "string") return target;
  if (!isRecord(target)) return undefined;
  for (const [condition, nested] of Object.entries(target)) {
    if (condition !== "default" && !conditions.includes(condition)) continue;
    const picked = pickTarget(nested, conditions);
    if (picked !== undefined) return picked;
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
