import type { Message } from "@agents/schema/agent";
import { parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type * as z from "zod";
import { toJsonSchema } from "../bidi/action-json-schemas.ts";

export type ReadOutput =
  | { readonly type: "fits"; readonly output: unknown }
  /** In words that a model can act upon. */
  | { readonly type: "misfit"; readonly problem: string };

/** The text of a message, without reasoning. */
export function textOf({ content }: Pick<Message, "content">): string {
  return content.map((part) => part.text ?? "").join("");
}

/** The value that an answer's text is JSON of, checked by the schema. */
export function readOutput(schema: z.ZodType, message: Message): ReadOutput {
  const text = textOf(message);
  let value: unknown;
  try {
    value = JSON.parse(jsonIn(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it could not be read";
    return { type: "misfit", problem: `The answer is not JSON: ${reason}.` };
  }
  try {
    return { type: "fits", output: parseWire(schema, value, { what: "output" }) };
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    return { type: "misfit", problem: error.message };
  }
}

/** Models like to put JSON into a block, with a word before and after. */
function jsonIn(text: string): string {
  const block = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/i.exec(text);
  return (block?.[1] ?? text).trim();
}

/** Asks the model to put right what it answered. Not part of history: the answer that fits is. */
export function complaint(schema: z.ZodType, problem: string): Message {
  const wanted = JSON.stringify(toJsonSchema(schema, "input"));
  return {
    role: "user",
    content: [{ text: `${problem} Answer again, with nothing but JSON of this schema: ${wanted}` }],
  };
}

export function outputMisfit(model: string, problem: string, message: Message): AgentError {
  return new AgentError(
    "INTERNAL",
    `Model ${model} gave no output that fits its schema, and neither when it was asked again. ${problem}`,
    { details: { problem, text: textOf(message).slice(0, 2_000) } },
  );
}
