import {
  formatPointer,
  isPlainObject,
  isRefusedToken,
  jsonEqual,
  jsonEqualAt,
  ownMember,
  type PlainObject,
  type PointerToken,
} from "../json/index.ts";
import { arrayEdits } from "./array-edits.ts";
import { measureJson } from "./measure-json.ts";
import type { PatchOperation } from "./patch-operation.ts";

/** Most operations of one patch. A part of the document that needs more is replaced as a whole. */
export const MAX_OPERATIONS = 10_000;

/** Deepest level that is compared member by member. A part below it that differs at all is replaced as a whole. */
const MAX_COMPARED_DEPTH = 32;

/** So many operations are never questioned; more must take less room than the value that they lead to. */
const FEW_OPERATIONS = 64;

/** Characters of an operation besides its path and value: `{"op":"replace","path":"","value":},`. */
const OPERATION_SIZE = 36;

/**
 * The RFC 6902 patch that makes `after` out of `before`: empty when they are the same JSON, otherwise of add, remove
 * and replace only. What both share by reference is not looked at, so after an immutable update the cost is that of
 * the change. The patch is small rather than minimal: large rearrangements of long arrays replace the array.
 *
 * Values in the patch are parts of `after`, not copies: serialise the patch, or leave `after` unchanged while it lives.
 * `undefined` members count as absent, and an `undefined` document as an absent one. Class instances are opaque: the
 * same one, or replaced. Throws INVALID_ARGUMENT where what differs is nested deeper than `MAX_DEPTH`.
 */
export function diff(before: unknown, after: unknown): PatchOperation[] {
  const walk: Walk = { operations: [], size: 0, path: [] };
  if (before !== undefined && after !== undefined) diffValues(walk, before, after);
  else if (after !== undefined) emitValue(walk, "add", after);
  else if (before !== undefined) emitRemove(walk);
  return walk.operations;
}

interface Walk {
  operations: PatchOperation[];
  /** Of the operations, in characters. */
  size: number;
  /** Where the walk is. */
  path: PointerToken[];
}

function diffValues(walk: Walk, before: unknown, after: unknown): void {
  if (walk.path.length >= MAX_COMPARED_DEPTH) {
    if (!jsonEqual(before, after, walk.path)) emitValue(walk, "replace", after);
    return;
  }
  const { size } = walk;
  const first = walk.operations.length;
  if (diffContainers(walk, before, after) && isWorthwhile(walk, first, size, after)) return;
  walk.operations.length = first;
  walk.size = size;
  emitValue(walk, "replace", after);
}

/** False when the difference cannot be said by operations inside the two values. */
function diffContainers(walk: Walk, before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return diffArrays(walk, before, after);
  if (isPlainObject(before) && isPlainObject(after)) return diffObjects(walk, before, after);
  return jsonEqual(before, after);
}

function isWorthwhile(walk: Walk, first: number, size: number, after: unknown): boolean {
  if (walk.operations.length - first <= FEW_OPERATIONS) return true;
  const spent = walk.size - size;
  return measureJson(after, walk.path, spent) > spent;
}

function diffObjects(walk: Walk, before: PlainObject, after: PlainObject): boolean {
  const first = walk.operations.length;
  const keys = Object.keys(after);
  const values = Object.values(after);
  const oldKeys = Object.keys(before);
  const oldValues = Object.values(before);
  let kept = 0;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const value = values[index];
    // An update by spread keeps the order, so the old value is mostly at the same place; a lookup takes ten times longer.
    const old = oldKeys[index] === key ? oldValues[index] : ownMember(before, key);
    if (old !== undefined && value !== undefined) kept++;
    if (old === value) continue;
    if (!diffMember(walk, key, old, value) || hasTooMany(walk, first)) return false;
  }
  if (oldKeys.length === kept) return true;
  for (const key of oldKeys) {
    if (Object.hasOwn(after, key)) continue;
    if (!diffMember(walk, key, before[key], undefined) || hasTooMany(walk, first)) return false;
  }
  return true;
}

/** False when the member differs and no pointer may name it. */
function diffMember(walk: Walk, key: string, before: unknown, after: unknown): boolean {
  if (isRefusedToken(key)) return jsonEqualAt(key, before, after, walk.path);
  walk.path.push(key);
  if (before !== undefined && after !== undefined) diffValues(walk, before, after);
  else if (after !== undefined) emitValue(walk, "add", after);
  else if (before !== undefined) emitRemove(walk);
  walk.path.pop();
  return true;
}

function diffArrays(walk: Walk, before: readonly unknown[], after: readonly unknown[]): boolean {
  const first = walk.operations.length;
  for (const edit of arrayEdits(before, after, walk.path)) {
    walk.path.push(edit.index);
    if (edit.type === "add") emitValue(walk, "add", edit.value);
    else if (edit.type === "remove") emitRemove(walk);
    else diffValues(walk, edit.before, edit.after);
    walk.path.pop();
    if (hasTooMany(walk, first)) return false;
  }
  return true;
}

function hasTooMany(walk: Walk, first: number): boolean {
  return walk.operations.length - first > MAX_OPERATIONS;
}

function emitValue(walk: Walk, op: "add" | "replace", value: unknown): void {
  const path = formatPointer(walk.path);
  walk.operations.push({ op, path, value });
  walk.size += OPERATION_SIZE + path.length + measureJson(value, walk.path);
}

function emitRemove(walk: Walk): void {
  const path = formatPointer(walk.path);
  walk.operations.push({ op: "remove", path });
  walk.size += OPERATION_SIZE + path.length;
}
