import type { Message } from "@agents/schema/agent";

/**
 * Decides what of a conversation a model is shown. It shapes what is sent and never what is stored. Given the history and
 * what stands around it, it returns the history to send: some of these messages, or others that stand for them.
 */
export type HistoryPolicy = (
  history: readonly Message[],
  call: { readonly signal: AbortSignal },
) => readonly Message[] | Promise<readonly Message[]>;

/**
 * Where turns start: the places of the user's messages. A history is cut at one of these and nowhere else, so that no
 * answer of a tool loses the call that it answers.
 */
export function turnStarts(history: readonly Message[]): number[] {
  return history.flatMap(({ role }, index) => (role === "user" ? [index] : []));
}
