import type { Message, Metadata } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { PromptFunction } from "dotprompt";
import * as z from "zod";
import { readInput } from "./define-prompt.ts";
import { HISTORY, type Prompt, type RenderedPrompt, splitAtHistory } from "./prompt.ts";
import { withoutMarkers } from "./without-markers.ts";

export interface DotpromptOptions {
  readonly name: string;
  /** Front matter and template. */
  readonly source: string;
  /** Names the place in messages: a file, for one. */
  readonly where: string;
  /** Templates that this one may include, by name. */
  readonly partials?: ReadonlyMap<string, string>;
}

interface Compiled {
  readonly render: PromptFunction;
  readonly inputSchema: z.ZodType | undefined;
  readonly outputSchema: z.ZodType | undefined;
  readonly defaults: Record<string, unknown>;
}

/** A prompt written in the dotprompt format. It is read and compiled at its first use; until then a mistake in it rests. */
export function dotpromptPrompt(options: DotpromptOptions): Prompt {
  let compiled: Promise<Compiled> | undefined;
  return {
    name: options.name,
    async render(given, { context, custom }) {
      compiled ??= compile(options);
      const { render, inputSchema, outputSchema, defaults } = await compiled;
      const input = readInput(inputSchema, { ...defaults, ...(given as object | undefined) }, options.name);
      const rendered = await render({
        input: withoutMarkers(input),
        messages: [HISTORY as never],
        context: withoutMarkers({ ...context, state: custom ?? {} }) as Record<string, unknown>,
      });
      return { ...asked(rendered), ...(outputSchema && { output: { schema: outputSchema } }) };
    },
  };
}

/** The library takes as long to load as the rest of this package: whoever has no such prompts does not wait for it. */
async function compile({ source, where, partials = new Map() }: DotpromptOptions): Promise<Compiled> {
  const { Dotprompt } = await import("dotprompt");
  const dotprompt = new Dotprompt({ partialResolver: (name) => partials.get(name) ?? null });
  try {
    const render = await dotprompt.compile(source);
    const { input, output } = await dotprompt.renderMetadata(source);
    return {
      render,
      inputSchema: schemaFrom(input?.schema),
      outputSchema: schemaFrom(output?.schema),
      defaults: input?.default ?? {},
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AgentError("INVALID_ARGUMENT", `The prompt in ${where} cannot be read: ${reason}`, {
      details: { where },
      cause,
    });
  }
}

function schemaFrom(schema: unknown): z.ZodType | undefined {
  return schema === undefined || schema === null ? undefined : z.fromJSONSchema(schema as never);
}

/**
 * Where the template marks the place of history, the library puts a copy of what it was given; otherwise the very object, by
 * a rule of its own: before the last words of the user. Ours is the end.
 */
function asked({
  messages,
  model,
  tools,
  config,
}: Awaited<ReturnType<PromptFunction>>): Omit<RenderedPrompt, "output"> {
  const own = messages.filter((message) => message !== (HISTORY as never));
  return {
    ...splitAtHistory(own as unknown as Message[]),
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
    ...(config === undefined || Object.keys(config).length === 0 ? {} : { config: config as Metadata }),
  };
}
