import type { Message } from "@agents/schema/agent";

export interface ToolCallIds {
  /** The id of a tool request or answer, by its place. */
  at(message: number, part: number): string;
}

/**
 * Providers tell calls apart by id. A request has its `ref`; one without gets an id from its place, and the next answer
 * without a ref to a tool of that name gets the same.
 */
export function toolCallIds(messages: readonly Message[]): ToolCallIds {
  const ids = new Map<string, string>();
  const unanswered = new Map<string, string[]>();
  for (const [m, { content }] of messages.entries()) {
    for (const [p, { toolRequest, toolResponse }] of content.entries()) {
      const { name, ref } = toolRequest ?? toolResponse ?? {};
      if (name === undefined) continue;
      const waiting = unanswered.get(name) ?? [];
      const made = `call-${m}-${p}`;
      if (ref === undefined && toolRequest !== undefined) unanswered.set(name, [...waiting, made]);
      ids.set(place(m, p), ref ?? (toolRequest === undefined ? waiting.shift() : undefined) ?? made);
    }
  }
  return { at: (message, part) => ids.get(place(message, part)) ?? `call-${message}-${part}` };
}

function place(message: number, part: number): string {
  return `${message} ${part}`;
}
