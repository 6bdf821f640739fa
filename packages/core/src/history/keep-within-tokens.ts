import type { Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import { type HistoryPolicy, turnStarts } from "./history-policy.ts";

export interface TokenBudget {
  /** Most tokens of history that are shown. */
  readonly tokens: number;
  /** Counts one message. @default a quarter of its characters as JSON, which is near enough for English */
  readonly count?: (message: Message) => number;
}

/** Shows as many of the newest turns as fit, and in any case the one under way. Media are counted by their URL's length. */
export function keepWithinTokens({ tokens, count = roughly }: TokenBudget): HistoryPolicy {
  if (!(tokens > 0))
    throw new AgentError("INVALID_ARGUMENT", `keepWithinTokens was given ${tokens} tokens; it takes more than 0.`);
  // Messages are frozen, and each is looked at again in every call.
  const known = new WeakMap<Message, number>();
  const cost = (message: Message): number => {
    const counted = known.get(message) ?? count(message);
    known.set(message, counted);
    return counted;
  };
  return (history) => {
    const starts = turnStarts(history);
    let end = history.length;
    let spent = 0;
    let from = starts.at(-1) ?? 0;
    for (const start of starts.reverse()) {
      for (let index = start; index < end; index++) spent += cost(history[index] as Message);
      if (spent > tokens) break;
      from = start;
      end = start;
    }
    return from === 0 ? history : history.slice(from);
  };
}

function roughly(message: Message): number {
  return Math.ceil(JSON.stringify(message.content).length / 4);
}
