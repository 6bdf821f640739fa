import { AgentError } from "@agents/schema/error";
import { formatPointer, isPlainObject, MAX_DEPTH, type PointerToken } from "@agents/schema/patch";

/**
 * A deeply frozen copy of a JSON value. `undefined` members are left out; anything else that JSON cannot hold throws
 * INVALID_ARGUMENT with its path, so that the mistake shows where it is made and not when the turn is saved.
 *
 * @param at Where the value goes, as a pointer: the start of the path in messages.
 */
export function importJson<T>(value: T, at = ""): T {
  return importAt(value, { at, path: [], copy: true, known: undefined }) as T;
}

/** The same without a copy: freezes the value itself. For values that nobody else will write to. */
export function freezeJson<T>(value: T, at = ""): T {
  return importAt(value, { at, path: [], copy: false, known: undefined }) as T;
}

/**
 * Containers known to be frozen through and through. Only for values that are changed a little and often, such as custom
 * state: looking a container up costs more than copying a message.
 */
const frozen = new WeakSet<object>();

/** `importJson` that shares the containers it has frozen before, so that its cost is that of what is new. */
export function importChanged<T>(value: T, at = ""): T {
  return importAt(value, { at, path: [], copy: true, known: frozen }) as T;
}

/** `freezeJson` that does not look again into the containers it has frozen before. */
export function freezeChanged<T>(value: T, at = ""): T {
  return importAt(value, { at, path: [], copy: false, known: frozen }) as T;
}

/** In every Node since 20, but not in the ES2023 library types. */
type WellFormedString = string & { isWellFormed(): boolean };

interface Walk {
  readonly at: string;
  readonly path: PointerToken[];
  readonly copy: boolean;
  readonly known: WeakSet<object> | undefined;
}

function importAt(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case "string":
      if ((value as WellFormedString).isWellFormed()) return value;
      throw refusal(walk, "has a lone surrogate, which UTF-8 cannot carry; repair it with toWellFormed()");
    case "boolean":
      return value;
    case "number":
      // JSON has one zero.
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      throw refusal(walk, `is ${value}, which JSON does not have; use null or a string`);
    case "object":
      return value === null || walk.known?.has(value) ? value : importContainer(value, walk);
    default:
      throw refusal(walk, `is of type ${typeof value}, which JSON does not have`);
  }
}

function importContainer(value: object, walk: Walk): object {
  if (walk.path.length >= MAX_DEPTH) {
    throw refusal(walk, `is nested deeper than the limit of ${MAX_DEPTH} levels, or contains itself`);
  }
  if (!Array.isArray(value) && !isPlainObject(value)) {
    throw refusal(walk, `is of class ${value.constructor?.name || "(unnamed)"}; use plain objects and arrays`);
  }
  const container = Object.freeze(Array.isArray(value) ? importArray(value, walk) : importObject(value, walk));
  walk.known?.add(container);
  return container;
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
