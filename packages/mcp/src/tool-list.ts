import { AgentError } from "@agents/schema/error";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema, type Tool as ServerTool, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { NO_SDK_TIMEOUT } from "./connection.ts";

/** A tool as its server describes it. */
export interface McpToolInfo {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Hints of the server, to be believed as far as the server is. */
  readonly annotations?: {
    readonly title?: string | undefined;
    readonly readOnlyHint?: boolean | undefined;
    readonly destructiveHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
    readonly openWorldHint?: boolean | undefined;
  };
  /** JSON Schema. */
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

/** Which tools of the server to take: names of the server's, or a function that says. */
export type McpInclude = readonly string[] | ((tool: McpToolInfo) => boolean);

export interface ToolListing {
  readonly tools: readonly McpToolInfo[];
  /** Names of what the server listed and nobody could call. */
  readonly unusable: readonly string[];
}

/** Reads every page. Schemas are what the server sent, untouched. */
export async function readToolList(client: Client, label: string, signal: AbortSignal): Promise<ToolListing> {
  const tools: McpToolInfo[] = [];
  const unusable: string[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const request = { method: "tools/list" as const, ...(cursor === undefined ? {} : { params: { cursor } }) };
    // The SDK's listTools refuses a whole page for one schema that it does not like, and remembers the last page only.
    const page = await client.request(request, ResultSchema, { signal, timeout: NO_SDK_TIMEOUT });
    const listed = page["tools"];
    if (!Array.isArray(listed)) throw malformed(label, "a list without tools");
    for (const tool of listed as readonly Partial<ServerTool>[]) {
      if (usable(tool)) tools.push(tool as McpToolInfo);
      else unusable.push(String(tool?.name));
    }
    const next = page["nextCursor"];
    if (typeof next !== "string") break;
    if (seen.has(next) || seen.size === MOST_PAGES) throw malformed(label, "a list of tools that does not end");
    seen.add(next);
    cursor = next;
  }
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw malformed(label, `two tools named ${JSON.stringify(twice)}`);
  return { tools, unusable };
}

/** Keeps the tools that are wanted. */
export function includeTools(tools: readonly McpToolInfo[], include: McpInclude | undefined): readonly McpToolInfo[] {
  if (include === undefined) return tools;
  if (typeof include === "function") return tools.filter(include);
  return tools.filter(({ name }) => include.includes(name));
}

/** Throws NOT_FOUND when `include` names a tool that the server does not have: a misspelt name must not pass. */
export function checkIncluded(tools: readonly McpToolInfo[], include: McpInclude | undefined, label: string): void {
  if (include === undefined || typeof include === "function") return;
  const names = tools.map(({ name }) => name);
  const missing = include.filter((name) => !names.includes(name));
  if (missing.length === 0) return;
  throw new AgentError(
    "NOT_FOUND",
    `'include' names ${missing.join(", ")}, which MCP server '${label}' does not have; it has ${names.join(", ") || "no tools"}.`,
    { details: { missing } },
  );
}

const MOST_PAGES = 1_000;

function usable(tool: Partial<ServerTool> | undefined): boolean {
  // Schemas are the providers' to judge; the SDK's takes fewer than JSON Schema has (`true` for a property, say).
  const bare = { ...tool, inputSchema: { type: tool?.inputSchema?.type }, outputSchema: undefined };
  // Such a tool answers with a task to ask for later, which this client does not do.
  return ToolSchema.safeParse(bare).success && tool?.execution?.taskSupport !== "required";
}

function malformed(label: string, what: string): AgentError {
  return new AgentError("INTERNAL", `MCP server '${label}' gave ${what}; this is a mistake of the server.`, {
    details: { server: label },
  });
}
