import { wellFormed } from "./well-formed.ts";

export interface ToolInput {
  readonly input: unknown;
  /** Why the text is not JSON; `input` is the text then. */
  readonly malformed?: string;
}

/**
 * What a model wrote as the input of a tool. Never throws: models do write broken JSON, above all when they run out of
 * tokens, and the tool loop answers it with an error that they can correct.
 */
export function parseToolInput(text: string): ToolInput {
  // How some providers say "no arguments".
  if (text.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(text, ESCAPED_SURROGATE.test(text) ? repairStrings : undefined) };
  } catch (error) {
    return { input: wellFormed(text), malformed: error instanceof Error ? error.message : "not JSON" };
  }
}

const ESCAPED_SURROGATE = /\\ud[89a-f]/i;

/** Half a character, escaped, is valid JSON that no store and no wire can carry. */
function repairStrings(_key: string, value: unknown): unknown {
  return typeof value === "string" ? wellFormed(value) : value;
}
