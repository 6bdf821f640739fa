import type { Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Model } from "@agents/schema/port";
import { generate } from "../generate/generate.ts";
import { type HistoryPolicy, turnStarts } from "./history-policy.ts";

export interface SummaryOptions {
  /** Writes the summaries. A small one will do. */
  readonly model: Model;
  /** Newest turns that are always shown as they are. @default 4 */
  readonly keepTurns?: number;
  /** Turns beyond those before they are summarised, and by how many the summary grows each time. @default 4 */
  readonly every?: number;
  /** What the model is told to do. */
  readonly instructions?: string;
}

const INSTRUCTIONS =
  "Summarise the conversation so far for somebody who has to carry it on: facts, decisions, names, numbers, open questions, what tools returned. Leave out pleasantries. Answer with the summary alone.";

/**
 * Shows a summary of old turns and the newest ones as they are. A summary is made once and kept while its conversation
 * is: it covers a multiple of `every` turns, so that several turns in a row send the same beginning, which providers cache.
 */
export function summarizeHistory(options: SummaryOptions): HistoryPolicy {
  const { keepTurns = 4, every = 4 } = options;
  for (const [name, value] of Object.entries({ keepTurns, every })) {
    if (!Number.isInteger(value) || value < 1)
      throw new AgentError(
        "INVALID_ARGUMENT",
        `summarizeHistory: ${name} is ${value}; it takes an integer of at least 1.`,
      );
  }
  /** By the last message that a summary covers: frozen, and the same object in every history that goes on from it. */
  const summaries = new WeakMap<Message, Promise<Message>>();

  function summaryOf(covered: readonly Message[], signal: AbortSignal): Promise<Message> {
    const last = covered.at(-1) as Message;
    const known = summaries.get(last);
    if (known !== undefined) return known;
    const made = summarize(options, covered, signal);
    summaries.set(last, made);
    // Asked again next time.
    made.catch(() => summaries.delete(last));
    return made;
  }

  return async (history, { signal }) => {
    const starts = turnStarts(history);
    const old = starts.length - keepTurns;
    const covered = Math.floor(old / every) * every;
    const end = covered > 0 ? starts[covered] : undefined;
    if (end === undefined) return history;
    return [await summaryOf(history.slice(0, end), signal), ...history.slice(end)];
  };
}

async function summarize(
  { model, instructions = INSTRUCTIONS }: SummaryOptions,
  covered: readonly Message[],
  signal: AbortSignal,
): Promise<Message> {
  const { text } = await generate({ model, messages: covered, prompt: instructions, abortSignal: signal });
  return { role: "user", content: [{ text: `Summary of the conversation so far:\n${text}` }] };
}
