import { isPlainObject } from "./plain-object.ts";

/** A copy that shares no container with the value. The value's depth must have been checked. Instances are shared. */
export function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson);
  if (!isPlainObject(value)) return value;
  // A spread defines own members, "__proto__" included; assigning to those that exist then runs no setter.
  const copy = { ...value };
  for (const key of Object.keys(copy)) copy[key] = cloneJson(copy[key]);
  return copy;
}
