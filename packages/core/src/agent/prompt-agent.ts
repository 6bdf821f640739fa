import { AgentError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import { type Conversation, prepareTurn } from "../conversation/conversation.ts";
import { converse } from "../conversation/converse.ts";
import type { HistoryPolicy } from "../history/history-policy.ts";
import type { AgentFunction } from "../invocation/agent-spec.ts";
import { definePrompt, type PromptWords } from "../prompt/define-prompt.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { AgentSession } from "../session/agent-session.ts";
import type { AgentLookUp, BoundAgent } from "./agent-look-up.ts";
import type { AgentDefinition, AgentOptions, DefineConversation } from "./agent-options.ts";

type Worded = AgentOptions & PromptWords & { readonly history?: HistoryPolicy };
type Prompted = AgentOptions &
  Omit<PromptWords, "system" | "messages"> & {
    readonly history?: HistoryPolicy;
    readonly prompt?: string | Prompt;
    readonly promptInput?: unknown;
  };

/** An agent with a prompt of its own, to be registered later. */
export const wordedAgent: DefineConversation<"definition", "words"> = ((given: Worded): AgentDefinition => {
  const { system, messages, history, ...options } = given;
  const asked = wordsOf(options);
  const about = { name: options.name };
  const words = {
    ...(system === undefined ? {} : { system }),
    ...(messages === undefined ? {} : { messages }),
  };
  const prompt = definePrompt({ ...about, ...asked, ...words } as PromptWords & { name: string });
  // What it says may need a session to say it for; what it names must be there in any case.
  const names = definePrompt({ ...about, ...asked } as PromptWords & { name: string });
  return {
    options,
    bind: (lookUp) => {
      const base = { agent: options.name, input: undefined, instead: {}, history, lookUp };
      return bound({ ...base, prompt: () => prompt }, async (context) =>
        prepareTurn({ ...base, prompt: () => names }, { context, custom: undefined }),
      );
    },
  };
}) as DefineConversation<"definition", "words">;

/** An agent whose prompt is registered, or given, to be registered later. */
export const promptAgent: DefineConversation<"definition", "prompt"> = ((given: Prompted): AgentDefinition => {
  const { prompt = given.name, promptInput, history, ...options } = given;
  return {
    options,
    bind: (lookUp) => {
      const conversation: Conversation = {
        agent: options.name,
        prompt: () => (typeof prompt === "string" ? registered(lookUp, prompt, options.name) : prompt),
        input: promptInput,
        instead: wordsOf(options),
        history,
        lookUp,
      };
      return bound(conversation, (context) =>
        prepareTurn(conversation, { context, custom: startOf(options, context) }),
      );
    },
  };
}) as DefineConversation<"definition", "prompt">;

function bound(conversation: Conversation, check: (context: AgentContext) => Promise<unknown>): BoundAgent {
  const run: AgentFunction = async (session: AgentSession) => {
    await session.run((input) => converse(conversation, session, input));
    return session.result();
  };
  return { run, check };
}

const WORDS = [
  "model",
  "tools",
  "toolChoice",
  "maxTurns",
  "config",
  "use",
  "timeoutMs",
  "output",
] as const satisfies readonly (keyof PromptWords)[];

/** What an agent asks for, among its other options. */
function wordsOf(options: Partial<PromptWords>): Omit<PromptWords, "system" | "messages"> {
  return Object.fromEntries(WORDS.filter((word) => options[word] !== undefined).map((word) => [word, options[word]]));
}

function startOf({ initialCustom }: AgentOptions, context: AgentContext): unknown {
  return typeof initialCustom === "function" ? initialCustom(context) : initialCustom;
}

function registered({ prompt }: AgentLookUp, name: string, agent: string): Prompt {
  const found = prompt(name);
  if (found !== undefined) return found;
  throw new AgentError(
    "NOT_FOUND",
    `Agent '${agent}' has the prompt ${JSON.stringify(name)}, which is not registered. Register it, or load its folder.`,
    { details: { agent, prompt: name } },
  );
}
