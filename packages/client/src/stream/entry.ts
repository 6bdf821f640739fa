import type { PositionedChunk, Restarted } from "@agents/schema/port";

/** What a turn's stream gives: chunks with their places, and the word that what came before is void. */
export type Entry<Status = unknown> = PositionedChunk<Status> | Restarted;

/** The entry in a frame that has one; undefined for a frame that says something else. */
export function entryOf<Status>(frame: Readonly<Record<string, unknown>>): Entry<Status> | undefined {
  const { message, restarted, position } = frame;
  const place = typeof position === "string" ? { position } : {};
  if (restarted === true && typeof position === "string") return { restarted, position };
  if (typeof message !== "object" || message === null) return undefined;
  return { chunk: message as PositionedChunk<Status>["chunk"], ...place };
}
