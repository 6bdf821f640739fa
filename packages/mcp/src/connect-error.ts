import { AgentError, type Status, statusFromHttp } from "@agents/schema/error";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { labelOf, type McpServer } from "./server.ts";

/** Why there is no connection, in words that hold no header, argument or environment of the server. */
export function connectError(server: McpServer, cause: unknown, lastWords: readonly string[]): AgentError {
  if (AgentError.is(cause)) return cause;
  const label = labelOf(server);
  const [status, message] = server.url === undefined ? ofProcess(label, cause) : ofHttp(label, cause);
  const said = lastWords.length === 0 ? "" : ` It last wrote to stderr:\n${lastWords.join("\n")}`;
  return new AgentError(status, message + said, { details: { server: label }, cause });
}

type Said = readonly [Status, string];

function ofProcess(label: string, cause: unknown): Said {
  const code = codeOf(cause);
  if (code === "ENOENT") {
    return [
      "NOT_FOUND",
      `MCP server '${label}' cannot be started: there is no such command, or no such 'cwd'. Install it, or give its path.`,
    ];
  }
  if (code === "EACCES") {
    return ["PERMISSION_DENIED", `MCP server '${label}' cannot be started: it is not executable for this user.`];
  }
  return [
    "UNAVAILABLE",
    `MCP server '${label}' ended, or answered with something else, before it was connected; run the command by hand to see why.`,
  ];
}

function ofHttp(label: string, cause: unknown): Said {
  if (!(cause instanceof StreamableHTTPError)) {
    const unreached = saidByNetwork(label, cause);
    if (unreached !== undefined) return unreached;
    // A certificate, a port that fetch does not use, a connection that was cut.
    if (cause instanceof TypeError) {
      const code = codeOf(cause.cause);
      return ["UNAVAILABLE", `MCP server '${label}' cannot be connected to${code === undefined ? "" : ` (${code})`}.`];
    }
    return ["INTERNAL", `What answers at '${label}' is no MCP server that this client understands.`];
  }
  return saidByHttp(label, cause);
}

/** Of a request that did not get as far as the server; undefined where it may have. */
export function saidByNetwork(label: string, cause: unknown): Said | undefined {
  const code = codeOf((cause as { cause?: unknown } | null | undefined)?.cause) ?? codeOf(cause);
  if (code === undefined || !UNREACHED.has(code)) return undefined;
  return ["UNAVAILABLE", `MCP server '${label}' cannot be reached (${code}); is it running?`];
}

const UNREACHED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Of the HTTP status that a request was answered with. What the body says stays in the cause: it may quote the request. */
export function saidByHttp(label: string, { code = -1 }: StreamableHTTPError): Said {
  if (code === 401) {
    return [
      "UNAUTHENTICATED",
      `MCP server '${label}' wants to know who calls (401); give a valid token in 'server.headers'.`,
    ];
  }
  if (code === 403) return ["PERMISSION_DENIED", `MCP server '${label}' does not let this caller in (403).`];
  if (code < 400) {
    return ["FAILED_PRECONDITION", `What answers at '${label}' does not speak MCP; is it the URL of the MCP endpoint?`];
  }
  const hint = code === 404 || code === 405 ? "; is it the URL of the MCP endpoint?" : ".";
  return [statusFromHttp(code), `MCP server '${label}' answered with ${code}${hint}`];
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
