import type { Message, Part } from "@agents/schema/agent";
import { parseWire } from "@agents/schema/agent";
import type { Model, Tool, ToolSource } from "@agents/schema/port";
import type * as z from "zod";
import { parts } from "../generate/generate.ts";
import type { ModelOptions } from "../generate/generate-options.ts";
import { type Prompt, type PromptMoment, type RenderedPrompt, splitAtHistory } from "./prompt.ts";

/** A value, or a function that makes it for an input and a moment. */
type Made<T, Input, Custom> = T | ((input: Input, moment: PromptMoment<Custom>) => T | Promise<T>);

/** What a prompt says and asks for. */
export interface PromptWords<Input = unknown, Custom = unknown> extends Omit<ModelOptions, "tools"> {
  /** A model, or the name of a registered one. @default the one of `createAgents` */
  readonly model?: Model | string;
  /** Tools, or names of registered ones. */
  readonly tools?: readonly (Tool | ToolSource | string)[];
  readonly system?: Made<string | readonly Part[], Input, Custom>;
  /** Around history: examples, reminders. `HISTORY` among them says where history goes. @default before history */
  readonly messages?: Made<readonly Message[], Input, Custom>;
  /** Checks each final answer, as JSON. */
  readonly output?: { readonly schema: z.ZodType };
}

export interface PromptOptions<Input = unknown> extends PromptWords<Input> {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: z.ZodType<Input>;
}

/** Defines a prompt in code. Agents render it anew for each turn. */
export function definePrompt<Input = unknown>(options: PromptOptions<Input>): Prompt<Input> {
  const { name, description, inputSchema, system, messages, ...rest } = options;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    async render(given, moment): Promise<RenderedPrompt> {
      const input = readInput(inputSchema, given, name);
      const says = await make(system, input, moment);
      const around = (await make(messages, input, moment)) ?? [];
      const first: Message[] = says === undefined ? [] : [{ role: "system", content: parts(says) }];
      return { ...rest, ...splitAtHistory([...first, ...around]) };
    },
  };
}

export function readInput<Input>(schema: z.ZodType<Input> | undefined, given: unknown, name: string): Input {
  if (schema === undefined) return given as Input;
  return parseWire(schema, given, { what: `input of prompt '${name}'` });
}

async function make<T, Input>(
  made: Made<T, Input, unknown> | undefined,
  input: Input,
  moment: PromptMoment,
): Promise<T | undefined> {
  return typeof made === "function"
    ? await (made as (input: Input, moment: PromptMoment) => T | Promise<T>)(input, moment)
    : made;
}
