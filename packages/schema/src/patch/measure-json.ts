import { isPlainObject, type PointerToken, refuseTooDeep } from "../json/index.ts";

/**
 * About how many characters the value has as JSON text; good for comparing, not for allocating. Stops early once the
 * count is above `enough`, so that asking "is it larger than this?" costs no more than "this".
 *
 * Refuses nesting deeper than `MAX_DEPTH`, counted from the document's root: `path` is where the value is. As far as it
 * was walked, the value is then safe for recursion.
 */
export function measureJson(value: unknown, path: PointerToken[], enough = Number.POSITIVE_INFINITY): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return SCALAR;
  refuseTooDeep(path);
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= enough; index++) {
      size += 1 + measureAt(index, value[index], path, enough - size);
    }
  } else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      if (size > enough) break;
      size += key.length + 4 + measureAt(key, value[key], path, enough - size);
    }
  }
  return size;
}

/** Numbers, literals: about five characters. */
const SCALAR = 5;

function measureAt(token: PointerToken, value: unknown, path: PointerToken[], enough: number): number {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? value.length + 2 : SCALAR;
  path.push(token);
  const size = measureJson(value, path, enough);
  path.pop();
  return size;
}
