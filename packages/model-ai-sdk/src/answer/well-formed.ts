/** In every Node since 20, but not in the ES2023 library types. */
type WellFormedString = string & { toWellFormed(): string };

/** The text with lone surrogates replaced by U+FFFD: UTF-8 cannot carry them. */
export function wellFormed(text: string): string {
  return (text as WellFormedString).toWellFormed();
}

/** Whether the text ends within a character that is two code units long. */
export function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
