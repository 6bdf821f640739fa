import { type Agents, currentSession, defineTool, ToolCorrection } from "@agents/core";
import * as z from "zod";
import { calculate } from "./calculate.ts";

const AssistantState = z.object({ notes: z.array(z.string()) });
export type AssistantState = z.infer<typeof AssistantState>;

/** What most people will write first: a model, a system prompt, tools. One of them keeps its notes in the session's state. */
export function defineAssistant(agents: Agents) {
  return agents.defineAgent({
    name: "assistant",
    description: "Answers, calculates, tells the time and keeps notes.",
    system: "You are a helpful assistant. Be brief.",
    stateSchema: AssistantState,
    initialCustom: { notes: [] },
    concurrency: "queue",
    tools: [
      defineTool(
        {
          name: "calculate",
          description: 'Evaluates an expression such as "2 * (3 + 4)".',
          inputSchema: z.object({ expression: z.string().max(200) }),
          outputSchema: z.string(),
        },
        ({ expression }) => {
          const value = calculate(expression);
          if (value === undefined)
            throw new ToolCorrection(`"${expression}" is no expression of numbers, + - * / and ( ).`);
          return `${expression} = ${value}`;
        },
      ),
      defineTool({ name: "now", description: "The date and time.", outputSchema: z.string() }, () =>
        new Date().toString(),
      ),
      defineTool(
        {
          name: "note",
          description: "Keeps a note for later.",
          inputSchema: z.object({ text: z.string().min(1).max(500) }),
          outputSchema: z.string(),
        },
        ({ text }) => {
          currentSession<AssistantState>().updateCustom((state) => void state.notes.push(text));
          return `Noted: ${text}`;
        },
      ),
      defineTool({ name: "notes", description: "What was noted.", outputSchema: z.string() }, () => {
        const { notes } = currentSession<AssistantState>().getCustom();
        return notes.length === 0 ? "Nothing was noted yet." : notes.map((note) => `- ${note}`).join("\n");
      }),
    ],
  });
}
