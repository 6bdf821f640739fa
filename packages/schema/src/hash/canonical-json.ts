import { AgentError } from "../error/index.ts";
import { formatPointer, isPlainObject, MAX_DEPTH, type PointerToken, shortened } from "../json/index.ts";

/**
 * The RFC 8785 (JCS) text of a JSON value: the same text for the same value, whatever the order of members.
 *
 * `undefined` members are left out, as JSON.stringify does. Everything else that JSON cannot carry unchanged throws
 * INVALID_ARGUMENT, naming where it is (`details.path`) and what to do: a hash must not cover a value that reads back
 * as a different one. So NaN, infinities, bigints, functions, symbols, `undefined` elements, lone surrogates, class
 * instances, anything with `toJSON`, and nesting deeper than 1,000 levels.
 *
 * @param at Where the value is in something larger, as a pointer; messages and `details.path` start with it.
 */
export function canonicalJson(value: unknown, at = ""): string {
  return textOf(value, { at, path: [] });
}

interface Walk {
  readonly at: string;
  /** From `at` to where the walk is. */
  readonly path: PointerToken[];
}

function textOf(value: unknown, walk: Walk): string {
  switch (typeof value) {
    case "string":
      return textOfString(value, walk);
    case "number":
      // ECMAScript's own number formatting is the one that RFC 8785 asks for; -0 is "0" in both.
      if (Number.isFinite(value)) return String(value);
      throw refusal(walk, `is ${value}, which JSON does not have; use null or a string`);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      return value === null ? "null" : textOfContainer(value, walk);
    case "undefined":
      throw refusal(walk, "is undefined, which only members may be; use null");
    case "bigint":
      throw refusal(walk, "is a bigint, which JSON does not have; use a string");
    default:
      throw refusal(walk, `is a ${typeof value}, which JSON does not have; leave it out`);
  }
}

function textOfString(text: string, walk: Walk): string {
  if ((text as WellFormedString).isWellFormed()) return JSON.stringify(text);
  throw refusal(walk, "has a lone surrogate, which UTF-8 cannot carry; repair it with toWellFormed()");
}

/** In every Node since 20, but not in the ES2023 library types. */
type WellFormedString = string & { isWellFormed(): boolean };

function textOfContainer(value: object, walk: Walk): string {
  if (walk.path.length >= MAX_DEPTH) {
    throw refusal(walk, `is nested deeper than the limit of ${MAX_DEPTH} levels, or contains itself; flatten it`);
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    throw refusal(walk, `is of class ${nameOf(value)} and has toJSON; keep what toJSON returns instead`);
  }
  if (Array.isArray(value)) return textOfArray(value, walk);
  if (isPlainObject(value)) return textOfObject(value, walk);
  throw refusal(walk, `is of class ${nameOf(value)}; use plain objects and arrays`);
}

function textOfArray(array: readonly unknown[], walk: Walk): string {
  let text = "[";
  for (let index = 0; index < array.length; index++) {
    walk.path.push(index);
    text += index === 0 ? textOf(array[index], walk) : `,${textOf(array[index], walk)}`;
    walk.path.pop();
  }
  return `${text}]`;
}

function textOfObject(object: Record<string, unknown>, walk: Walk): string {
  let text = "";
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    walk.path.push(key);
    text += `${text === "" ? "" : ","}${textOfString(key, walk)}:${textOf(value, walk)}`;
    walk.path.pop();
  }
  return `{${text}}`;
}

/** By UTF-16 code units, the order of RFC 8785: it is the one of sort() and of comparing strings. */
function sortedKeys(object: Record<string, unknown>): string[] {
  const keys = Object.keys(object);
  if (keys.length > FEW_KEYS) return keys.sort();
  // Mostly two or three, and often in order: inserting each in its place takes a fraction of what sort() does.
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end] as string;
    let place = end;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}

const FEW_KEYS = 12;

function nameOf(value: object): string {
  const made: unknown = value.constructor;
  return (typeof made === "function" && made.name) || "(unnamed)";
}

function refusal({ at, path }: Walk, reason: string): AgentError {
  const shown = shortened(at + formatPointer(path));
  return new AgentError("INVALID_ARGUMENT", `The value at ${JSON.stringify(shown)} ${reason}.`, {
    details: { path: shown },
  });
}
