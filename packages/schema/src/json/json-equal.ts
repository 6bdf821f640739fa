import { isPlainObject, ownMember, type PlainObject } from "./plain-object.ts";
import type { PointerToken } from "./pointer.ts";
import { refuseTooDeep } from "./refuse-too-deep.ts";

/**
 * Whether two values are the same JSON: members in any order, `undefined` members absent, `undefined` elements null,
 * `0` and `-0` the same. Values that JSON does not have are the same only when they are identical. Linear in the smaller
 * of the two.
 *
 * `path` is where the values are, for the refusal of nesting deeper than `MAX_DEPTH`; it is used as the walk's stack
 * and is back as it was on return.
 */
export function jsonEqual(a: unknown, b: unknown, path: PointerToken[] = []): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return Number.isNaN(a) && Number.isNaN(b);
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b, path);
  return isPlainObject(a) && isPlainObject(b) && equalObjects(a, b, path);
}

/** The same for two values that are at `token` below `path`. */
export function jsonEqualAt(token: PointerToken, a: unknown, b: unknown, path: PointerToken[]): boolean {
  if (a === b) return true;
  path.push(token);
  const equal = jsonEqual(a, b, path);
  path.pop();
  return equal;
}

function equalArrays(a: readonly unknown[], b: readonly unknown[], path: PointerToken[]): boolean {
  if (a.length !== b.length) return false;
  refuseTooDeep(path);
  for (let index = 0; index < a.length; index++) {
    if (!jsonEqualAt(index, a[index] ?? null, b[index] ?? null, path)) return false;
  }
  return true;
}

function equalObjects(a: PlainObject, b: PlainObject, path: PointerToken[]): boolean {
  refuseTooDeep(path);
  const keys = Object.keys(a);
  const values = Object.values(a);
  const otherKeys = Object.keys(b);
  const otherValues = Object.values(b);
  let shared = 0;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const value = values[index];
    if (value === undefined) continue;
    // Equal objects mostly have their members in the same order; a lookup by name takes several times longer.
    const other = otherKeys[index] === key ? otherValues[index] : ownMember(b, key);
    if (other === undefined || !jsonEqualAt(key, value, other, path)) return false;
    shared++;
  }
  return otherKeys.length === shared || otherValues.filter((value) => value !== undefined).length === shared;
}
