import { hash } from "node:crypto";
import { AgentError } from "../error/index.ts";

/** Hex digits of a route: 2^32 buckets, so that few sessions share one and none need to. */
const ROUTE_LENGTH = 8;
const SNAPSHOT_ID = /^([0-9a-f]{8})\.([0-9a-z_-]{1,128})$/;

/** Where a session lives, for media that must find a snapshot by its id alone: a directory, a hash slot. */
export function sessionRoute(sessionId: string): string {
  return hash("sha256", sessionId, "hex").slice(0, ROUTE_LENGTH);
}

/** The route inside a snapshot's id. Undefined for an id that we did not make: such a snapshot does not exist. */
export function snapshotRoute(snapshotId: string): string | undefined {
  return SNAPSHOT_ID.exec(snapshotId)?.[1];
}

/**
 * A snapshot's id, `<route>.<unique>`. `unique` is a UUID, or derived from an idempotency key; lower-case letters,
 * digits, `_` and `-` only, because it may become a file's name, also where case does not count.
 */
export function makeSnapshotId(route: string, unique: string): string {
  const snapshotId = `${route}.${unique}`;
  if (SNAPSHOT_ID.test(snapshotId)) return snapshotId;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `${JSON.stringify(snapshotId.slice(0, 160))} is not a snapshot id: it takes a route and 1 to 128 lower-case letters, digits, "_" or "-".`,
  );
}
