import type { Metadata } from "@agents/schema/agent";
import { parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Tool, ToolAnswer, ToolCall } from "@agents/schema/port";
import type * as z from "zod";
import { toJsonSchema } from "../bidi/action-json-schemas.ts";
import { checkMade } from "../bidi/check-value.ts";
import { type RetryOptions, withBackoff } from "../clock/backoff.ts";
import type { AgentSession, AgentTurn } from "../session/agent-session.ts";
import { currentWork } from "../session/session-context.ts";
import { ToolCorrection } from "./tool-correction.ts";

/** What a tool's function works with. */
export interface ToolContext extends ToolCall {
  /** The session of the agent that called. Undefined where `generate` was called outside of one. */
  readonly session: AgentSession | undefined;
  readonly turn: AgentTurn | undefined;
}

export interface ToolOptions<Input, Output> {
  /** As the model sees it: 1 to 128 letters, digits, `_`, `.`, `-`. */
  readonly name: string;
  /** Tells the model when to call it. */
  readonly description?: string;
  /** What the model must give. An input that does not fit goes back to it, to be corrected. @default an object without fields */
  readonly inputSchema?: z.ZodType<Input>;
  /** What the function returns, and what a person may supply instead. */
  readonly outputSchema?: z.ZodType<Output>;
  readonly metadata?: Metadata;
  /** Longest time of one call, retries included, in milliseconds. @default none */
  readonly timeoutMs?: number;
  /** Runs the function again after a failure that may pass. @default never */
  readonly retry?: RetryOptions;
}

export type ToolFunction<Input, Output> = (input: Input, context: ToolContext) => Promise<Output> | Output;

/** A tool with its types; the part that agents use is `Tool`. */
export interface DefinedTool<Input = unknown, Output = unknown> extends Tool {
  readonly types?: { readonly input: Input; readonly output: Output };
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Defines a tool. Its function may stream progress, change the session's state, `interrupt` for a person, and throw a
 * `ToolCorrection` for what the model can put right. Anything else that it throws fails the turn.
 */
export function defineTool<Input = Record<string, never>, Output = unknown>(
  options: ToolOptions<Input, Output>,
  run: ToolFunction<Input, Output>,
): DefinedTool<Input, Output> {
  const { name, description, inputSchema, outputSchema, metadata, timeoutMs, retry } = options;
  checkToolName(name);
  const work = (input: Input, context: ToolContext): Promise<Output> => {
    const attempt = async (): Promise<Output> => run(input, context);
    return retry === undefined ? attempt() : withBackoff(retry, { signal: context.abortSignal }, attempt);
  };
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    inputSchema: inputSchema === undefined ? NO_INPUT : toJsonSchema(inputSchema, "input"),
    ...(outputSchema === undefined ? {} : { outputSchema: toJsonSchema(outputSchema, "output") }),
    async call(given, call): Promise<ToolAnswer> {
      const input = readInput(inputSchema, given, name);
      if ("type" in input) return input;
      const current = currentWork();
      const context: ToolContext = { ...call, session: current?.session, turn: current?.turn };
      try {
        const output = await work(input.value, context);
        return { type: "output", output: checkMade(outputSchema, output, `output of tool '${name}'`) };
      } catch (error) {
        if (error instanceof ToolCorrection) return correction(error);
        throw error;
      }
    },
    checkOutput: (output) =>
      outputSchema === undefined ? output : parseWire(outputSchema, output, { what: `output of tool '${name}'` }),
  };
}

/** A model that calls a tool without fields may send anything. */
const NO_INPUT = { type: "object", properties: {}, additionalProperties: false } as const;

/** Throws INVALID_ARGUMENT for what no provider would take as a tool's name. */
export function checkToolName(name: string): void {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `A tool is named ${JSON.stringify(name)}; a name has 1 to 128 letters, digits, "_", "." or "-".`,
  );
}

function readInput<Input>(
  schema: z.ZodType<Input> | undefined,
  given: unknown,
  name: string,
): { readonly value: Input } | ToolAnswer {
  if (schema === undefined) return { value: (given ?? {}) as Input };
  try {
    return { value: parseWire(schema, given ?? {}, { what: `input of tool '${name}'` }) };
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    return {
      type: "correction",
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
    };
  }
}

function correction({ message, details }: ToolCorrection): ToolAnswer {
  return { type: "correction", message, ...(details === undefined ? {} : { details }) };
}
