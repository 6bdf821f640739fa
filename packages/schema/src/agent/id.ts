import * as z from "zod";

/** Longest id accepted from outside, in UTF-16 units. Ids become keys, columns and file routes. */
export const MAX_ID_LENGTH = 256;

/** Ids of a session may be the caller's own: any string that is neither blank nor too long. */
export const SessionIdSchema = idSchema("sessionId");
/** A turn's row is its snapshot, so this is also the id of a turn. Made by the runtime; opaque to clients. */
export const SnapshotIdSchema = idSchema("snapshotId");
export const InteractionIdSchema = idSchema("interactionId");
/** Part of a route, so it has no character that a path or a query would read otherwise. */
export const AgentNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?$/, "an agent's name has 1 to 128 letters, digits, _ . -");
export const IdempotencyKeySchema = idSchema("idempotency key");

/** ISO 8601 in UTC, as `Date.prototype.toISOString` writes it. */
export const TimestampSchema = z.iso.datetime();

/** Where a stored page of results goes on; opaque to clients. */
export const CursorSchema = z.string().min(1).max(2048);

function idSchema(what: string) {
  return (
    z
      .string()
      .max(MAX_ID_LENGTH, `${what} is longer than ${MAX_ID_LENGTH} characters`)
      .regex(/\S/, `${what} is blank; leave it out to get a new one`)
      // Two lone surrogates are the same bytes in UTF-8, so two ids would be one key; a NUL ends a text in some stores.
      .regex(/^(?:[^\p{Cc}\p{Cs}])*$/u, `${what} has a control character or half of a surrogate pair`)
  );
}
