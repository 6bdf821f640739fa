const MARKER = /<<<dotprompt:/g;

/**
 * The same value with texts in which the template language finds no markers of its own: what a user wrote must not be able
 * to start a system message.
 */
export function withoutMarkers(value: unknown): unknown {
  if (typeof value === "string") return value.replace(MARKER, "<<< dotprompt:");
  if (Array.isArray(value)) return value.map(withoutMarkers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutMarkers(member)]));
}
