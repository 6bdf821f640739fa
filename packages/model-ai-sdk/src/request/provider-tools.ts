import { AgentError } from "@agents/schema/error";
import type { LanguageModelV3ProviderTool } from "@ai-sdk/provider";

/**
 * Tools that a provider runs itself, as its package takes them. Throws INVALID_ARGUMENT for a tool that somebody else
 * would have to run. (The types of the packages do not tell the two apart.)
 */
export function toProviderTools(tools: Readonly<Record<string, object>>): LanguageModelV3ProviderTool[] {
  return Object.entries(tools).map(([name, tool]) => {
    const { id, args } = tool as Partial<LanguageModelV3ProviderTool>;
    if (typeof id === "string" && id.includes(".")) return { type: "provider", id, name, args: args ?? {} };
    throw new AgentError(
      "INVALID_ARGUMENT",
      `providerTools.${name} is no tool of a provider: it has no id. Give what the tools of the provider's package return.`,
    );
  });
}
