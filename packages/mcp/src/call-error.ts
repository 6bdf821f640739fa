import { AgentError, type Status } from "@agents/schema/error";
import type { ToolAnswer } from "@agents/schema/port";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { saidByHttp, saidByNetwork } from "./connect-error.ts";
import { BROKEN_OFF } from "./http-link.ts";

/** What a request that failed means: something for the model, or an error. */
export type CallFailure = Extract<ToolAnswer, { type: "correction" }> | AgentError;

export function readFailure(label: string, tool: string, cause: unknown): CallFailure {
  if (AgentError.is(cause)) return cause;
  const details = { server: label, tool };
  const fail = (status: Status, message: string): AgentError => new AgentError(status, message, { details, cause });
  if (cause instanceof McpError) {
    if (cause.data === BROKEN_OFF) {
      return fail(...brokeOff(label, tool));
    }
    const said = cause.message.replace(/^MCP error -?\d+: /, "");
    if (cause.code === ErrorCode.InvalidParams) return { type: "correction", message: said };
    return fail(STATUS_OF[cause.code] ?? "INTERNAL", `MCP server '${label}' refused '${tool}': ${said}`);
  }
  if (cause instanceof StreamableHTTPError) return fail(...saidByHttp(label, cause));
  // fetch rejects with a TypeError when there is no answer at all.
  if (cause instanceof TypeError) return fail(...(saidByNetwork(label, cause) ?? brokeOff(label, tool)));
  return fail("INTERNAL", `MCP server '${label}' answered '${tool}' with what is no tool result.`);
}

function brokeOff(label: string, tool: string): readonly [Status, string] {
  return [
    "UNAVAILABLE",
    `MCP server '${label}' broke off while it ran '${tool}'; whether it did its work is not known.`,
  ];
}

const STATUS_OF: Readonly<Record<number, Status>> = {
  [ErrorCode.MethodNotFound]: "UNIMPLEMENTED",
  [ErrorCode.UrlElicitationRequired]: "FAILED_PRECONDITION",
};
