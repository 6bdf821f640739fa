export type { McpClientInfo, McpServerInfo } from "./connection.ts";
export { mcpTools } from "./mcp-tools.ts";
export type { McpProgress, McpProgressOption } from "./progress-chunks.ts";
export type { McpHttpServer, McpServer, McpStdioServer } from "./server.ts";
export type { McpInclude, McpToolInfo } from "./tool-list.ts";
export type { McpToolSource, McpToolsOptions } from "./tool-source.ts";
