import type { ToolRequest } from "@agents/schema/agent";
import type { ModelTool } from "@agents/schema/port";

interface Phrase {
  readonly tool: string;
  readonly pattern: RegExp;
  readonly input: (found: RegExpMatchArray) => unknown;
}

/** What the demo model understands, the first that fits. */
const PHRASES: readonly Phrase[] = [
  {
    tool: "transfer",
    pattern: /(?:transfer|send|pay)\s+\$?(\d+(?:\.\d{1,2})?)\D*?\bto\s+(?:my\s+)?([\w-]+)/i,
    input: ([, amount, to]) => ({ amount: Number(amount), to: to?.toLowerCase() }),
  },
  { tool: "balance", pattern: /balance|how much|account/i, input: () => ({}) },
  {
    tool: "calculate",
    pattern: /(-?\d[\d\s().+*/-]*[+*/-][\d\s().+*/-]*\d\)*)/,
    input: ([expression]) => ({ expression: expression.trim() }),
  },
  { tool: "note", pattern: /(?:remember|note)(?:\s+that|:)?\s+(.+)/i, input: ([, text]) => ({ text: text?.trim() }) },
  { tool: "notes", pattern: /what (?:do you|did i)|notes/i, input: () => ({}) },
  { tool: "now", pattern: /\b(?:time|date|day|today|now)\b/i, input: () => ({}) },
  { tool: "researcher", pattern: /research\s+(.+)/i, input: ([, task]) => ({ task: task?.trim() }) },
];

/** The call that goes with a phrase, if there is a tool for it. */
export function chooseTool(text: string, tools: readonly ModelTool[]): ToolRequest | undefined {
  for (const { tool, pattern, input } of PHRASES) {
    if (!tools.some(({ name }) => name === tool)) continue;
    const found = text.match(pattern);
    if (found !== null) return { name: tool, input: input(found) };
  }
  return undefined;
}
