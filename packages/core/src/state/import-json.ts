import { AgentError } from "@agents/schema/error";
import { formatPointer, isPlainObject, MAX_DEPTH, type PointerToken } from "@agents/schema/patch";

/** Containers known to be frozen through and through: they can be shared without a look inside. */
const frozen = new WeakSet<object>();

/**
 * A deeply frozen copy of a JSON value. What is frozen already is taken as it is, so adding to a state costs what is
 * added. `undefined` members are left out; anything else that JSON cannot hold throws INVALID_ARGUMENT with its path, so
 * that the mistake shows where it is made and not when the turn is saved.
 *
 * @param at Where the value goes, as a pointer: the start of the path in messages.
 */
export function importJson<T>(value: T, at = ""): T {
  return importAt(value, { at, path: [], copy: true }) as T;
}

/** The same without a copy: freezes the value itself. For values that nobody else will write to. */
export function freezeJson<T>(value: T, at = ""): T {
  return importAt(value, { at, path: [], copy: false }) as T;
}

/** Takes a container whose members are all frozen. */
export function adopt<T extends object>(container: T): T {
  frozen.add(Object.freeze(container));
  return container;
}

interface Walk {
  readonly at: string;
  readonly path: PointerToken[];
  readonly copy: boolean;
}

function importAt(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON has one zero.
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      throw refusal(walk, `is ${value}, which JSON does not have; use null or a string`);
    case "object":
      return value === null || frozen.has(value) ? value : importContainer(value, walk);
    default:
      throw refusal(walk, `is of type ${typeof value}, which JSON does not have`);
  }
}

function importContainer(value: object, walk: Walk): object {
  if (walk.path.length >= MAX_DEPTH) {
    throw refusal(walk, `is nested deeper than the limit of ${MAX_DEPTH} levels, or contains itself`);
  }
  if (Array.isArray(value)) return adopt(importArray(value, walk));
  if (!isPlainObject(value)) {
    throw refusal(walk, `is of class ${value.constructor?.name || "(unnamed)"}; use plain objects and arrays`);
  }
  return adopt(importObject(value, walk));
}

function importArray(array: unknown[], walk: Walk): unknown[] {
  const result: unknown[] = walk.copy ? new Array(array.length) : array;
  for (let index = 0; index < array.length; index++) {
    walk.path.push(index);
    const element = importAt(array[index], walk);
    walk.path.pop();
    if (walk.copy || !Object.is(element, array[index])) result[index] = element;
  }
  return result;
}

function importObject(object: Record<string, unknown>, walk: Walk): object {
  const result: Record<string, unknown> = walk.copy ? {} : object;
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) {
      delete result[key];
      continue;
    }
    walk.path.push(key);
    const member = importAt(value, walk);
    walk.path.pop();
    if (!walk.copy && Object.is(member, value)) continue;
    // Assigning to "__proto__" would set the prototype; as data it is a member like any other.
    if (key === "__proto__")
      Object.defineProperty(result, key, { value: member, enumerable: true, configurable: true });
    else result[key] = member;
  }
  return result;
}

function refusal({ at, path }: Walk, reason: string): AgentError {
  const where = (at + formatPointer(path)).slice(0, 160);
  return new AgentError("INVALID_ARGUMENT", `The value at ${JSON.stringify(where)} ${reason}.`, {
    details: { path: where },
  });
}
