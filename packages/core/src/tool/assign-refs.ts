import type { Message } from "@agents/schema/agent";
import type { IdSource } from "@agents/schema/port";
import { isToolRequest } from "./tool-message.ts";

/**
 * Gives every request of the message a ref that no earlier one has. Some models name none, some count from zero in each
 * answer; but a ref is what an answer is matched by, and part of the key that makes an effect idempotent.
 *
 * @param taken Refs of the messages before; those of this one are added.
 */
export function assignRefs(message: Message, taken: Set<string>, ids: IdSource): Message {
  let changed = false;
  const content = message.content.map((part) => {
    if (!isToolRequest(part)) return part;
    const { ref } = part.toolRequest;
    if (ref !== undefined && ref !== "" && !taken.has(ref)) {
      taken.add(ref);
      return part;
    }
    changed = true;
    const made = ids.uuid();
    taken.add(made);
    return { ...part, toolRequest: { ...part.toolRequest, ref: made } };
  });
  return changed ? { ...message, content } : message;
}

/** The refs that requests of these messages have. */
export function refsOf(messages: readonly Message[]): Set<string> {
  const refs = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== "model") continue;
    for (const part of content) if (part.toolRequest?.ref !== undefined) refs.add(part.toolRequest.ref);
  }
  return refs;
}
