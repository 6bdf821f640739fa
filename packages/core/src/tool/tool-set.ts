import { AgentError } from "@agents/schema/error";
import type { ModelTool, Tool, ToolSource } from "@agents/schema/port";
import { checkToolName } from "./define-tool.ts";

/** The tools of one call or agent, by name. */
export class ToolSet {
  readonly #byName = new Map<string, Tool>();
  /** As the model is told of them. */
  readonly described: readonly ModelTool[];

  /** Throws INVALID_ARGUMENT for a name that no provider takes, and for two tools of one name. */
  constructor(given: readonly (Tool | ToolSource)[]) {
    const tools = given.flatMap((one) => ("tools" in one ? one.tools : [one]));
    for (const tool of tools) {
      checkToolName(tool.name);
      if (this.#byName.has(tool.name)) throw twice(tool.name);
      this.#byName.set(tool.name, tool);
    }
    this.described = tools.map(describe);
  }

  get size(): number {
    return this.#byName.size;
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  find(name: string): Tool | undefined {
    return this.#byName.get(name);
  }
}

function describe({ name, description, inputSchema, outputSchema }: Tool): ModelTool {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

function twice(name: string): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    `Two tools are named ${JSON.stringify(name)}: a model could not tell them apart.`,
  );
}
