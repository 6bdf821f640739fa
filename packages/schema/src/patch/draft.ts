import { invalidArgument, isPlainObject, ownMember, type PlainObject, quoted, shortened } from "../json/index.ts";

type Container = unknown[] | PlainObject;

/**
 * A document being patched. Containers are copied when they are first written to; those in `owned` were made by this
 * draft, are reachable from nowhere else, and are written in place from then on.
 */
export interface Draft {
  root: unknown;
  owned: Set<Container>;
}

export function openDraft(document: unknown): Draft {
  return { root: document, owned: new Set() };
}

/** The value at the location. Refuses a location that does not exist. */
export function readAt(draft: Draft, path: readonly string[]): unknown {
  if (draft.root === undefined) throw invalidArgument("there is no document");
  let node: unknown = draft.root;
  for (let depth = 0; depth < path.length; depth++) node = child(containerAt(node, path, depth), path, depth);
  return node;
}

export function addAt(draft: Draft, path: readonly string[], value: unknown): void {
  const last = path.length - 1;
  if (last < 0) {
    draft.root = value;
    return;
  }
  const parent = openContainer(draft, path);
  const token = path[last] as string;
  if (!Array.isArray(parent)) defineMember(parent, token, value);
  else if (token === "-") parent.push(value);
  else parent.splice(indexOf(parent.length, path, last), 0, value);
}

export function removeAt(draft: Draft, path: readonly string[]): void {
  const last = path.length - 1;
  readAt(draft, path);
  if (last < 0) {
    draft.root = undefined;
    return;
  }
  const parent = openContainer(draft, path);
  if (Array.isArray(parent)) parent.splice(Number(path[last]), 1);
  else delete parent[path[last] as string];
}

/** Keeps the member's place among its siblings, which remove and add would not. */
export function replaceAt(draft: Draft, path: readonly string[], value: unknown): void {
  const last = path.length - 1;
  if (last < 0) {
    draft.root = value;
    return;
  }
  readAt(draft, path);
  setChild(openContainer(draft, path), path[last] as string, value);
}

/** The container that holds the last token, made writable together with everything above it. */
function openContainer(draft: Draft, path: readonly string[]): Container {
  let node = own(draft, containerAt(draft.root, path, 0));
  draft.root = node;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const inner = own(draft, containerAt(child(node, path, depth), path, depth + 1));
    setChild(node, path[depth] as string, inner);
    node = inner;
  }
  return node;
}

function own(draft: Draft, container: Container): Container {
  if (draft.owned.has(container)) return container;
  // A spread defines own members, "__proto__" included; it never runs a setter.
  const copy = Array.isArray(container) ? container.slice() : { ...container };
  draft.owned.add(copy);
  return copy;
}

/** What `path` leads to after `depth` tokens, given that the next token needs something to look in. */
function containerAt(node: unknown, path: readonly string[], depth: number): Container {
  if (Array.isArray(node) || isPlainObject(node)) return node;
  const what = node === undefined ? "does not exist" : "is neither an object nor an array";
  throw invalidArgument(`${quoted(path.slice(0, depth))} ${what}, so it has no ${quoted(path[depth] ?? "")}`);
}

function child(container: Container, path: readonly string[], depth: number): unknown {
  if (Array.isArray(container)) return container[indexOf(container.length - 1, path, depth)] ?? null;
  const value = ownMember(container, path[depth] as string);
  if (value === undefined) {
    throw invalidArgument(`${quoted(path.slice(0, depth))} has no member ${quoted(path[depth] ?? "")}`);
  }
  return value;
}

/** The index that a token names: decimal digits without leading zeros, at most `last`. */
function indexOf(last: number, path: readonly string[], depth: number): number {
  const token = path[depth] as string;
  const where = `array ${quoted(path.slice(0, depth))}`;
  if (token === "-")
    throw invalidArgument(`"-" names the place after the last element of ${where}, where there is nothing`);
  if (!INDEX.test(token)) throw invalidArgument(`${quoted(token)} is not an index of ${where}`);
  const index = Number(token);
  if (index > last)
    throw invalidArgument(`index ${shortened(token)} is beyond the end of ${where}; the last possible one is ${last}`);
  return index;
}

const INDEX = /^(?:0|[1-9][0-9]*)$/;

function setChild(container: Container, token: string, value: unknown): void {
  if (Array.isArray(container)) container[Number(token)] = value;
  else defineMember(container, token, value);
}

/** Plain assignment would run a setter, or fail on a frozen Object.prototype, when the name is an inherited one. */
function defineMember(object: PlainObject, key: string, value: unknown): void {
  if (Object.hasOwn(object, key)) object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
