import { invalidArgument } from "./invalid-argument.ts";

/** How deep JSON may nest. Far above real data, far below where recursion (ours, or JSON.stringify's) overflows the stack. */
export const MAX_DEPTH = 1_000;

/** A decoded reference token. Numbers only come from our own walks over arrays. */
export type PointerToken = string | number;

/** Longest pointer in a message or in details, in characters; a hostile one may have megabytes. */
const MAX_SHOWN = 120;

/**
 * Names that reach an object's prototype in code less careful than ours. They are legal as data, so they are refused
 * in pointers only, where a peer chooses them.
 */
const REFUSED: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

const BAD_ESCAPE = /~(?![01])/;

/**
 * The decoded tokens of an RFC 6901 pointer; none for the root. Refuses with INVALID_ARGUMENT what is not a pointer,
 * has more than `MAX_DEPTH` tokens, or passes through `__proto__`, `prototype` or `constructor`.
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (pointer[0] !== "/") {
    throw invalidArgument(`${quoted(pointer)} is not a JSON pointer: it must be empty or start with "/"`);
  }
  if (BAD_ESCAPE.test(pointer)) {
    throw invalidArgument(`${quoted(pointer)} is not a JSON pointer: "~" must be written "~0", "/" in a name "~1"`);
  }
  const tokens = pointer.slice(1).split("/");
  if (tokens.length > MAX_DEPTH) {
    throw invalidArgument(`${quoted(pointer)} has ${tokens.length} tokens, more than the limit of ${MAX_DEPTH}`);
  }
  const decoded = pointer.includes("~") ? tokens.map(decode) : tokens;
  const refused = decoded.find(isRefusedToken);
  if (refused !== undefined) {
    throw invalidArgument(`${quoted(pointer)} passes through "${refused}", which pointers may not name`);
  }
  return decoded;
}

export function formatPointer(tokens: readonly PointerToken[]): string {
  let pointer = "";
  for (const token of tokens) pointer += `/${encode(token)}`;
  return pointer;
}

/** Whether a member of this name cannot be named by a pointer. */
export function isRefusedToken(token: string): boolean {
  return REFUSED.has(token);
}

/** A pointer, or a name in one, as others may see it: whole when it is of reasonable length, else its beginning. */
export function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** The same in quotes and escaped, for messages. */
export function quoted(pointer: string | readonly PointerToken[]): string {
  return JSON.stringify(shortened(typeof pointer === "string" ? pointer : formatPointer(pointer)));
}

function decode(token: string): string {
  // In this order: "~01" is the name "~1", not "/".
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function encode(token: PointerToken): string {
  return typeof token === "number" ? String(token) : token.replaceAll("~", "~0").replaceAll("/", "~1");
}
