import * as z from "zod";

/** Longest id accepted from outside, in UTF-16 units. Ids become keys, columns and file routes. */
export const MAX_ID_LENGTH = 256;

/** Ids of a session may be the caller's own: any string that is neither blank nor too long. */
export const SessionIdSchema = idSchema("sessionId");
/** A turn's row is its snapshot, so this is also the id of a turn. Made by the runtime; opaque to clients. */
export const SnapshotIdSchema = idSchema("snapshotId");
export const InteractionIdSchema = idSchema("interactionId");
export const AgentNameSchema = idSchema("agent name");
export const IdempotencyKeySchema = idSchema("idempotency key");

/** ISO 8601 in UTC, as `Date.prototype.toISOString` writes it. */
export const TimestampSchema = z.iso.datetime();

/** Where a stored page of results goes on; opaque to clients. */
export const CursorSchema = z.string().min(1).max(2048);

function idSchema(what: string) {
  return z
    .string()
    .max(MAX_ID_LENGTH, `${what} is longer than ${MAX_ID_LENGTH} characters`)
    .regex(/\S/, `${what} is blank; leave it out to get a new one`);
}
