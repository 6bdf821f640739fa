import { AgentError } from "@agents/schema/error";
import type { Tool, ToolAnswer } from "@agents/schema/port";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { readAnswer } from "./answer.ts";
import { createOutputCheck } from "./output-check.ts";
import { createProgressChunks, type McpProgressOption, type ProgressChunks } from "./progress-chunks.ts";
import type { McpToolInfo } from "./tool-list.ts";

export type AskOutcome =
  | { readonly type: "result"; readonly result: CallToolResult }
  /** The server refused the input. */
  | Extract<ToolAnswer, { type: "correction" }>;

/** Asks the server. Rejects with the signal's reason, or an AgentError. */
export type AskServer = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  options: { readonly signal: AbortSignal; readonly progress: ProgressChunks | undefined },
) => Promise<AskOutcome>;

export interface MakeToolOptions {
  /** As the model sees it. */
  readonly name: string;
  readonly info: McpToolInfo;
  readonly progress: McpProgressOption;
  readonly ask: AskServer;
}

/** A tool that runs on the server, which checks the input itself. */
export function makeTool({ name, info, progress, ask }: MakeToolOptions): Tool {
  const { title, annotations, inputSchema, outputSchema } = info;
  const description = info.description ?? title ?? annotations?.title;
  const check = outputSchema === undefined ? () => undefined : createOutputCheck(outputSchema);
  return {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    metadata: { mcp: { name: info.name, ...(annotations === undefined ? {} : { annotations }) } },
    async call(input, call): Promise<ToolAnswer> {
      const given = input ?? {};
      if (!isObject(given)) return { type: "correction", message: `The input of '${name}' must be an object.` };
      const chunks = createProgressChunks(progress, { ...call, name });
      const outcome = await askAndEnd(info.name, given, call.abortSignal, chunks);
      if (outcome.type === "correction") return outcome;
      const { result } = outcome;
      const answer = readAnswer(result);
      const wrong = answer.type === "output" && result.structuredContent !== undefined && check(answer.output);
      if (!wrong) return answer;
      return { type: "correction", message: `The output of '${name}' does not fit its own schema: ${wrong}` };
    },
    checkOutput(output) {
      const wrong = check(output);
      if (wrong === undefined) return output;
      throw new AgentError("INVALID_ARGUMENT", `The output of tool '${name}' does not fit its schema: ${wrong}`);
    },
  };

  async function askAndEnd(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    chunks: ProgressChunks | undefined,
  ): Promise<AskOutcome> {
    let outcome: AskOutcome;
    try {
      outcome = await ask(tool, input, { signal, progress: chunks });
    } catch (error) {
      chunks?.end().catch(() => {});
      throw error;
    }
    await chunks?.end();
    return outcome;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
