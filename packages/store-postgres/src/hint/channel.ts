import { createHash } from "node:crypto";

/** Channels are the whole database's, so each schema has its own; a name of it may be too long for one. */
export function channelOf(schema: string): string {
  return `agents_${createHash("sha256").update(schema).digest("hex").slice(0, 24)}`;
}

/** Payloads end at 8,000 bytes. */
const TAGS_PER_NOTIFICATION = 400;

/** Who sends, so that it does not hear itself, and the tags of turns. */
export function payloadsOf(sender: string, tags: readonly string[]): string[] {
  const payloads: string[] = [];
  for (let start = 0; start < tags.length; start += TAGS_PER_NOTIFICATION) {
    payloads.push(`${sender}:${tags.slice(start, start + TAGS_PER_NOTIFICATION).join(",")}`);
  }
  return payloads;
}

export function tagsIn(payload: string | undefined, self: string): string[] {
  const [sender, tags] = (payload ?? "").split(":");
  return sender === self || tags === undefined ? [] : tags.split(",");
}
