export type PlainObject = Record<string, unknown>;

/**
 * Whether a value is what JSON calls an object. Class instances, Dates, Maps and the like are not: their members are
 * not all of what they mean, so nothing here looks inside them.
 */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The last clause is for objects of another realm (an iframe, node:vm), whose Object.prototype is not ours.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The member's value, or `undefined` when there is none. Never what the prototype has under that name. */
export function ownMember(object: PlainObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
