/** What would break a line or a column, or not survive UTF-8. Compact JSON text never has any of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for.
const UNFIT = /[\u0000-\u001f\u007f\p{Surrogate}]/u;
const QUOTED = "~";

/** A text as it stands in a column: as it is, or as a JSON string behind `~`. */
export function encodeColumn(text: string): string {
  return UNFIT.test(text) || text.startsWith(QUOTED) ? QUOTED + JSON.stringify(text) : text;
}

export function decodeColumn(column: string): string {
  return column.startsWith(QUOTED) ? (JSON.parse(column.slice(1)) as string) : column;
}
