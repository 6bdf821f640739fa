import { createHmac } from "node:crypto";
import { AgentError } from "@agents/schema/error";

/** What a cursor is good for: one list. */
export type ListName = readonly (string | null | undefined)[];

/** Where a page ended: what its last row is ordered by. */
export type PagePosition = readonly (string | number)[];

/**
 * A position, sealed with the key of the schema: any process takes it back, for the same list alone, and nobody can make one
 * up that reads from elsewhere.
 */
export function makeCursor(key: string, list: ListName, position: PagePosition): string {
  const text = Buffer.from(JSON.stringify(position)).toString("base64url");
  return `${text}.${seal(key, list, text)}`;
}

/** Throws INVALID_ARGUMENT for a cursor of another list, and for any other text. */
export function readCursor(key: string, list: ListName, cursor: string): PagePosition {
  const [text = "", given] = cursor.split(".");
  if (given === seal(key, list, text)) return JSON.parse(Buffer.from(text, "base64url").toString()) as PagePosition;
  throw new AgentError(
    "INVALID_ARGUMENT",
    "This cursor was not made by this store for this list; start again without one.",
    { details: { cursor: cursor.slice(0, 64) } },
  );
}

function seal(key: string, list: ListName, text: string): string {
  const named = JSON.stringify([text, ...list.map((part) => part ?? null)]);
  return createHmac("sha256", key).update(named).digest("base64url").slice(0, 22);
}

export function refuseBadLimit(limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 1) return;
  throw new AgentError("INVALID_ARGUMENT", `A limit of ${limit} is of no use; it takes a whole number of at least 1.`);
}
