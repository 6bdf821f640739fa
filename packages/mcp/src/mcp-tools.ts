import { AgentError } from "@agents/schema/error";
import { McpSource } from "./mcp-source.ts";
import { checkServer } from "./server.ts";
import { checkPrefix } from "./tool-names.ts";
import type { McpToolSource, McpToolsOptions } from "./tool-source.ts";

/**
 * Connects to an MCP server and lists its tools. Rejects when that fails, with an AgentError that names the command or
 * URL and the remedy, or with the signal's reason. A connection that ends later fails the calls in flight with
 * UNAVAILABLE; the next call opens another.
 */
export async function mcpTools(options: McpToolsOptions): Promise<McpToolSource> {
  const { server, prefix = "", timeoutMs = 60_000, signal } = options;
  checkServer(server);
  checkPrefix(prefix);
  checkTimeout(timeoutMs);
  signal?.throwIfAborted();
  const source = new McpSource({ ...options, prefix, timeoutMs });
  const onAbort = (): void => void source.close();
  signal?.addEventListener("abort", onAbort, { once: true });
  source.onClosed = () => signal?.removeEventListener("abort", onAbort);
  try {
    await source.start();
    return source;
  } catch (error) {
    await source.close();
    signal?.throwIfAborted();
    throw error;
  }
}

function checkTimeout(timeoutMs: number): void {
  if (timeoutMs === Number.POSITIVE_INFINITY || (timeoutMs > 0 && timeoutMs < 2 ** 31)) return;
  throw new AgentError(
    "INVALID_ARGUMENT",
    `'timeoutMs' is ${timeoutMs}; it must be above 0 and at most 2147483647, or Infinity.`,
  );
}
