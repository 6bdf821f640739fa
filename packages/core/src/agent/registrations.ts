import type { Model, Tool } from "@agents/schema/port";
import type { Registry } from "../bidi/create-registry.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { readPromptFolder } from "../prompt/read-prompt-folder.ts";
import type { AgentLookUp } from "./agent-look-up.ts";

/** Makes something known by its name to agents and prompts. Each throws ALREADY_EXISTS if the name is taken. */
export interface Registrations {
  registerModel<Registered extends Model>(model: Registered): Registered;
  registerTool<Registered extends Tool>(tool: Registered): Registered;
  registerPrompt<Registered extends Prompt>(prompt: Registered): Registered;
  /**
   * Registers the `.prompt` files of a folder and those below it, each under its path without the extension. Throws
   * NOT_FOUND where there is no folder.
   */
  loadPrompts(folder: string): readonly Prompt[];
}

export function registrations(registry: Registry): Registrations {
  const registerPrompt = <Registered extends Prompt>(prompt: Registered): Registered => {
    const { name, description, inputSchema } = prompt;
    registry.register({
      kind: "prompt",
      name: keyOf("prompt", name),
      action: prompt,
      ...(description === undefined ? {} : { description }),
      ...(inputSchema === undefined ? {} : { schemas: { input: inputSchema } }),
    });
    return prompt;
  };
  return {
    registerPrompt,
    registerModel(model) {
      registry.register({ kind: "model", name: keyOf("model", model.name), action: model });
      return model;
    },
    registerTool(tool) {
      const { name, description, inputSchema, outputSchema } = tool;
      const about = description === undefined ? {} : { description };
      registry.register({
        kind: "tool",
        name: keyOf("tool", name),
        action: tool,
        ...about,
        metadata: { inputSchema, outputSchema },
      });
      return tool;
    },
    loadPrompts: (folder) => readPromptFolder(folder).map(registerPrompt),
  };
}

export function lookUpIn(registry: Registry, defaultModel: Model | undefined): AgentLookUp {
  return {
    defaultModel,
    model: (name) => registry.lookup(keyOf("model", name))?.action as Model | undefined,
    tool: (name) => registry.lookup(keyOf("tool", name))?.action as Tool | undefined,
    prompt: (name) => registry.lookup(keyOf("prompt", name))?.action as Prompt | undefined,
  };
}

/** Names in a registry are unique over all kinds, and an agent usually has the name of its prompt. */
function keyOf(kind: "model" | "prompt" | "tool", name: string): string {
  return `${kind}/${name}`;
}
