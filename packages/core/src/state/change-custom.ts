import { AgentError } from "@agents/schema/error";
import { diff, MAX_DEPTH, type PatchOperation, parsePointer } from "@agents/schema/patch";
import { create, current, isDraft } from "mutative";
import { freezeChanged, importChanged } from "./import-json.ts";

/** Mutates the draft it is given, or returns a new value. */
// biome-ignore lint/suspicious/noConfusingVoidType: a recipe is mostly a block that returns nothing.
export type CustomRecipe<Custom> = (draft: Custom) => Custom | void;

export interface CustomChange<Custom> {
  /** Deeply frozen; shares with the old value all that the recipe did not touch. */
  readonly value: Custom;
  /** From the old value to the new one; empty when nothing changed. */
  readonly patch: readonly PatchOperation[];
}

/**
 * Applies a recipe to a frozen value. The patch is what the recipe did, recorded by the draft, so its cost is that of the
 * change and not of the state; only a returned value is compared. A recipe that throws leaves the value as it was.
 * Objects that a recipe puts into the draft become part of the state, frozen.
 */
export function changeCustom<Custom>(before: Custom, recipe: CustomRecipe<Custom>): CustomChange<Custom> {
  if (typeof before !== "object" || before === null) return compared(before, recipe(before) as Custom | undefined);
  const [draft, finish] = create(before as object, {
    // "length" is no member that a pointer could name.
    enablePatches: { pathAsArray: false, arrayLengthAssignment: false },
  });
  const returned = recipe(draft as Custom) as Custom | undefined;
  if (returned !== undefined && returned !== draft) return compared(before, withoutDrafts(returned) as Custom);
  const [next, patch] = finished(finish) as unknown as [Custom, PatchOperation[]];
  if (next === before) return { value: before, patch: [] };
  const value = freezeChanged(next, "/custom");
  return { value, patch: patch.every(isAllowed) ? patch : diff(before, value) };
}

/** The library follows what the recipe put into the draft to the end of the stack; a value that contains itself has none. */
function finished<T>(finish: () => T): T {
  try {
    return finish();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AgentError(
      "INVALID_ARGUMENT",
      `The value at "/custom" is nested deeper than the limit of ${MAX_DEPTH} levels, or contains itself.`,
      { details: { path: "/custom" }, cause: error },
    );
  }
}

function compared<Custom>(before: Custom, returned: Custom | undefined): CustomChange<Custom> {
  if (returned === undefined) return { value: before, patch: [] };
  const value = importChanged(returned, "/custom");
  return { value, patch: diff(before, value) };
}

/**
 * `{ ...draft, n: 1 }` holds drafts of the other members; those that did not change give back what they stand for. What
 * lies too deep is left as it is: it is refused where it is taken in.
 */
function withoutDrafts(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || depth > MAX_DEPTH) return value;
  if (isDraft(value)) return finished(() => current(value));
  if (Array.isArray(value)) return value.map((element) => withoutDrafts(element, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutDrafts(member, depth + 1)]));
}

/** A member named like a prototype's is legal data that no pointer may name, and an absent value is none. */
function isAllowed(operation: PatchOperation): boolean {
  if ("value" in operation && operation.value === undefined) return false;
  if (!/__proto__|prototype|constructor/.test(operation.path)) return true;
  try {
    parsePointer(operation.path);
    return true;
  } catch {
    return false;
  }
}
