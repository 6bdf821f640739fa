/**
 * Postgres keeps no U+0000 in text, and UTF-8 has no lone surrogates: a driver would cut or replace them, and two ids
 * could become one. They are written as U+0001 and four hex digits, and so are U+0001 itself and the separator of events.
 * JSON has none of these raw, so what the runtime writes is stored as it is.
 */
const ESCAPE = "\u0001";

/** Between the events of a batch. */
export const SEPARATOR = "\u0002";

const UNSAFE = new RegExp(`[\\0${ESCAPE}${SEPARATOR}\\p{Surrogate}]`, "gu");
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, "g");

export function encodeText(text: string): string {
  return isPlain(text) ? text : text.replace(UNSAFE, escapeUnit);
}

export function decodeText(stored: string): string {
  return stored.includes(ESCAPE) ? stored.replace(ESCAPED, unescapeUnit) : stored;
}

/** Texts of a batch as one. */
export function encodeTexts(texts: readonly string[]): string {
  return texts.length === 1 ? encodeText(texts[0] as string) : texts.map(encodeText).join(SEPARATOR);
}

export function decodeTexts(stored: string): string[] {
  return stored.split(SEPARATOR).map(decodeText);
}

/** Three searches by the processor's own instructions: a hundred times faster than the pattern on long texts. */
function isPlain(text: string): boolean {
  const isSafe = !(text.includes("\0") || text.includes(ESCAPE) || text.includes(SEPARATOR));
  // Node 20 has it; the library of ES2023 does not name it.
  return isSafe && (text as string & { isWellFormed(): boolean }).isWellFormed();
}

function escapeUnit(unit: string): string {
  return ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, "0");
}

function unescapeUnit(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
