import { createHmac } from "node:crypto";
import { AgentError } from "@agents/schema/error";

/** What a cursor is good for: one list of one store. */
export type ListName = readonly (string | undefined)[];

/** Where a page ended: what the list is sorted by. */
export type Position = readonly (number | string)[];

export interface CursorOf {
  readonly key: string;
  readonly list: ListName;
}

/** `<position>.<seal>`: every process over the same directory takes it back, for the same list. */
export function makeCursor({ key, list }: CursorOf, position: Position): string {
  const text = JSON.stringify(position);
  return `${Buffer.from(text).toString("base64url")}.${sealOf(key, list, text)}`;
}

/** Throws INVALID_ARGUMENT for a cursor of another store or list, and for any other text. */
export function readCursor({ key, list }: CursorOf, cursor: string): Position {
  const [encoded = "", seal] = cursor.split(".");
  const text = Buffer.from(encoded, "base64url").toString();
  if (seal !== undefined && seal === sealOf(key, list, text)) return JSON.parse(text) as Position;
  throw new AgentError(
    "INVALID_ARGUMENT",
    "This cursor was not made by this store for this list; start again without one.",
    { details: { cursor: cursor.slice(0, 64) } },
  );
}

function sealOf(key: string, list: ListName, text: string): string {
  const sealed = JSON.stringify([text, ...list.map((part) => part ?? null)]);
  return createHmac("sha256", key).update(sealed).digest("base64url").slice(0, 22);
}
