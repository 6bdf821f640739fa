import { AgentError } from "../error/index.ts";
import { cloneJson, invalidArgument, jsonEqual, parsePointer, quoted, shortened } from "../json/index.ts";
import { addAt, type Draft, openDraft, readAt, removeAt, replaceAt } from "./draft.ts";
import { measureJson } from "./measure-json.ts";
import type { PatchOperation } from "./patch-operation.ts";

/**
 * Most that the `copy` operations of one patch may add, in characters of JSON. A copy costs a patch forty bytes and may
 * double the document, so thirty of them would make a value that no later step could write out.
 */
export const MAX_COPIED = 16_000_000;

/**
 * Applies an RFC 6902 patch and returns the new document. All or nothing: neither the document nor the patch is ever
 * changed, and the result shares with the old document (and with the patch's values) everything that no operation
 * touched, so treat all three as immutable.
 *
 * A document of `undefined` is an absent one: removing the root makes it, adding or replacing the root ends it.
 * An operation that cannot be applied throws INVALID_ARGUMENT with details `{ index, op, path }`. That includes
 * pointers through `__proto__`, `prototype` or `constructor`, values that would nest the document deeper than
 * `MAX_DEPTH`, and copies of more than `MAX_COPIED`.
 */
export function applyPatch(document: unknown, patch: readonly PatchOperation[]): unknown {
  if (!Array.isArray(patch)) throw new AgentError("INVALID_ARGUMENT", "A JSON Patch must be an array of operations.");
  const application = { draft: openDraft(document), copied: 0 };
  for (let index = 0; index < patch.length; index++) {
    try {
      applyOperation(application, patch[index]);
    } catch (error) {
      throw located(error, index, patch[index]);
    }
  }
  return application.draft.root;
}

interface Application {
  draft: Draft;
  /** Size of all copies so far. */
  copied: number;
}

/** An operation as it may arrive: the type is a promise that a peer can break. */
type Unchecked = { [Field in "op" | "path" | "from" | "value"]?: unknown };

const APPLY: Record<PatchOperation["op"], (application: Application, operation: Unchecked) => void> = {
  add({ draft }, operation) {
    const path = pointerIn(operation, "path");
    addAt(draft, path, valueIn(operation, path));
  },
  remove({ draft }, operation) {
    removeAt(draft, pointerIn(operation, "path"));
  },
  replace({ draft }, operation) {
    const path = pointerIn(operation, "path");
    replaceAt(draft, path, valueIn(operation, path));
  },
  move({ draft }, operation) {
    const path = pointerIn(operation, "path");
    const from = pointerIn(operation, "from");
    if (isInside(path, from)) throw invalidArgument(`${quoted(from)} cannot be moved into itself`);
    const value = readAt(draft, from);
    // Only a move to a deeper place can make the document nest deeper.
    if (path.length > from.length) measureJson(value, [...path]);
    removeAt(draft, from);
    addAt(draft, path, value);
  },
  copy(application, operation) {
    const path = pointerIn(operation, "path");
    const value = readAt(application.draft, pointerIn(operation, "from"));
    application.copied += measureJson(value, [...path], MAX_COPIED - application.copied);
    if (application.copied > MAX_COPIED) {
      throw invalidArgument(`the patch copies more than ${MAX_COPIED} characters of JSON; send such values with "add"`);
    }
    // A copy of its own, so that neither place sees writes to the other. Its size was just measured and bounded.
    addAt(application.draft, path, cloneJson(value));
  },
  test({ draft }, operation) {
    const path = pointerIn(operation, "path");
    const expected = valueIn(operation, path);
    if (!jsonEqual(readAt(draft, path), expected, [...path]))
      throw invalidArgument("the value there is a different one");
  },
};

function applyOperation(application: Application, operation: unknown): void {
  if (typeof operation !== "object" || operation === null) throw invalidArgument("an operation must be an object");
  const { op } = operation as Unchecked;
  // An own member: "constructor" is no operation, though every object has one.
  if (typeof op !== "string" || !Object.hasOwn(APPLY, op)) {
    throw invalidArgument(`"op" must be one of ${Object.keys(APPLY).join(", ")}`);
  }
  APPLY[op as PatchOperation["op"]](application, operation);
}

function pointerIn(operation: Unchecked, field: "path" | "from"): string[] {
  const pointer = operation[field];
  if (typeof pointer !== "string") throw invalidArgument(`"${field}" is missing or not a string`);
  return parsePointer(pointer);
}

/** The operation's value, which would be at `path`; checked so that everything later may recurse into it. */
function valueIn({ value }: Unchecked, path: readonly string[]): unknown {
  if (value === undefined) throw invalidArgument(`"value" is missing`);
  measureJson(value, [...path]);
  return value;
}

function isInside(path: readonly string[], ancestor: readonly string[]): boolean {
  return path.length > ancestor.length && ancestor.every((token, depth) => token === path[depth]);
}

/** What went wrong, with where in the patch. An error that is none of ours is a defect and stays as it is. */
function located(error: unknown, index: number, operation: unknown): unknown {
  if (!AgentError.is(error)) return error;
  const { op, path } = (operation ?? {}) as Unchecked;
  const details = {
    index,
    ...(typeof op === "string" ? { op: shortened(op) } : {}),
    ...(typeof path === "string" ? { path: shortened(path) } : {}),
  };
  const name = `${details.op ?? "no op"} ${details.path === undefined ? "without a path" : quoted(details.path)}`;
  return new AgentError("INVALID_ARGUMENT", `Operation ${index} (${name}) cannot be applied: ${error.message}.`, {
    details,
  });
}
