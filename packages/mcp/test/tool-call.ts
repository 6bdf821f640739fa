import type { AgentChunk } from "@agents/schema/agent";
import type { Tool, ToolAnswer, ToolSource } from "@agents/schema/port";

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly chunks?: AgentChunk[];
}

/** Calls a tool of a source as a turn would. */
export function callTool(
  source: ToolSource,
  name: string,
  input: unknown = {},
  { signal = new AbortController().signal, chunks = [] }: CallOptions = {},
): Promise<ToolAnswer> {
  return toolOf(source, name).call(input, {
    name,
    ref: "r1",
    key: "t1:r1",
    abortSignal: signal,
    context: {},
    async sendChunk(chunk) {
      chunks.push(chunk);
    },
    interrupt() {
      throw new Error("Nobody interrupts here.");
    },
  });
}

export function toolOf({ tools }: ToolSource, name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no ${name} among ${tools.map((one) => one.name).join(", ")}.`);
  return tool;
}
