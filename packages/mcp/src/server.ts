import { AgentError } from "@agents/schema/error";

/** A server that is a child process and talks over its stdin and stdout. */
export interface McpStdioServer {
  /** The program, by name or path; no shell reads it. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside HOME, LOGNAME, PATH, SHELL, TERM and USER (on Windows their like): nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default this process's */
  readonly cwd?: string;
  readonly url?: never;
}

/** A server that is reached by streamable HTTP. */
export interface McpHttpServer {
  /** The MCP endpoint, http(s). Credentials go into `headers`. */
  readonly url: string | URL;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For proxies, certificates, tokens that must be fresh. @default the global one */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
  readonly command?: never;
}

export type McpServer = McpStdioServer | McpHttpServer;

/** How messages name it: no arguments, environment, query or headers, any of which may hold a secret. */
export function labelOf(server: McpServer): string {
  if (server.url === undefined) return server.command;
  const { origin, pathname } = new URL(server.url);
  return `${origin}${pathname}`;
}

/** Throws INVALID_ARGUMENT for what could never be reached. Says no value that may be a secret. */
export function checkServer(server: McpServer): void {
  if (server.url !== undefined && server.command !== undefined) {
    throw invalid("'server' has a command and a url; give the one that the server is reached by.");
  }
  if (server.url !== undefined) checkHttp(server);
  else if (typeof server.command !== "string" || server.command === "") {
    throw invalid("'server' has neither a command nor a url; give one of them.");
  }
}

function checkHttp({ url, headers = {} }: McpHttpServer): void {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw invalid("'server.url' is no http(s) URL; give the whole address of the MCP endpoint.");
  }
  // fetch refuses such a URL with a message that quotes it.
  if (parsed.username !== "" || parsed.password !== "") {
    throw invalid("'server.url' holds credentials; send them as an Authorization header in 'server.headers'.");
  }
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw invalid(`'server.headers' has a value or name that HTTP does not take: ${JSON.stringify(name)}.`);
    }
  }
}

function invalid(message: string): AgentError {
  return new AgentError("INVALID_ARGUMENT", message);
}
