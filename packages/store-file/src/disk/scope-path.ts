import { hash } from "node:crypto";
import { join } from "node:path";

/** Longest name of a folder that a scope's segment becomes; file systems end at 255 bytes. */
const MAX_SEGMENT = 120;
const MAX_SEGMENTS = 8;

/**
 * Where a scope's sessions are, below the store's directory: a folder `@…` for each segment between slashes. Two scopes
 * never share a path, also where case does not count, and no scope leads out of the directory.
 */
export function scopePath(scope: string): string {
  if (scope === "") return "";
  const segments = scope.split("/");
  // `%-` is no encoded byte, so a digest is never taken for a segment.
  if (segments.length > MAX_SEGMENTS) return `@%-${digest(scope)}`;
  return join(...segments.map((segment) => `@${encodeSegment(segment)}`));
}

/** Lower-case letters, digits, `_` and `-` as they are; every other byte as `%` and two digits. */
function encodeSegment(segment: string): string {
  // A lone surrogate has no bytes of its own, and would be taken for U+FFFD.
  if (/\p{Surrogate}/u.test(segment)) return `%-${digest(JSON.stringify(segment))}`;
  let encoded = "";
  for (const byte of Buffer.from(segment)) {
    const character = String.fromCharCode(byte);
    encoded += /[a-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
  }
  return encoded.length <= MAX_SEGMENT ? encoded : `%-${digest(segment)}`;
}

function digest(text: string): string {
  return hash("sha256", text, "hex");
}
