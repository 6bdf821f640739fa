import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { connectError } from "./connect-error.ts";
import { openHttpLink } from "./http-link.ts";
import type { Link } from "./link.ts";
import { labelOf, type McpServer } from "./server.ts";
import { openStdioLink } from "./stdio-link.ts";
import { untilStopped } from "./until-stopped.ts";

/** Who we are to the server. */
export interface McpClientInfo {
  readonly name: string;
  readonly version: string;
}

/** Who the server says it is. */
export interface McpServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
}

/** A client that is connected, or was: the SDK's clients connect once. */
export interface Connection {
  readonly client: Client;
  /** Aborted when nothing more can be asked, with the AgentError that requests in flight fail with. */
  readonly ended: AbortSignal;
  readonly serverInfo: McpServerInfo | undefined;
  readonly instructions: string | undefined;
  readonly hasTools: boolean;
  readonly lostSession: Link["lostSession"];
  /** Whether new requests may be made. */
  readonly usable: boolean;
  /** To be called around each request; what it returns says that the request is over. */
  hold(): () => void;
  /** Takes no new requests, and ends when those in flight are over: a server that is leaving may still answer them. */
  retire(): void;
  /** Ends it; requests in flight fail with the error. Resolves when nothing of it is left. */
  end(error: AgentError): Promise<void>;
}

export interface ConnectOptions {
  readonly server: McpServer;
  readonly clientInfo: McpClientInfo;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "setTimer">;
  readonly timeoutMs: number;
  readonly onToolsChanged: () => void;
  /** Not for what a request fails with. */
  readonly onTrouble: (error: AgentError) => void;
}

/** Longest that the SDK's timer can wait; our own limits end requests. */
export const NO_SDK_TIMEOUT = 2 ** 31 - 1;

/** Rejects with the signal's reason or an AgentError that names the server and the remedy; nothing is left of it then. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { server, clientInfo, signal, clock, timeoutMs, onToolsChanged, onTrouble } = options;
  const label = labelOf(server);
  const ended = new AbortController();
  let held = 0;
  let retired = false;
  let closing: Promise<void> | undefined;
  const lose = (): void => {
    if (ended.signal.aborted) return;
    const error = gone(label);
    void end(error);
    onTrouble(error);
  };
  const link =
    server.url === undefined ? openStdioLink(server) : openHttpLink(server, { onLost: () => retire(), onTrouble });
  const end = (error: AgentError): Promise<void> => {
    if (!ended.signal.aborted) ended.abort(error);
    closing ??= link.close();
    return closing;
  };
  const endIfOver = (): void => {
    if (retired && held === 0) void end(gone(label));
  };
  const retire = (): void => {
    retired = true;
    endIfOver();
  };

  const client = new Client(clientInfo);
  client.onerror = (cause) => {
    if (!ended.signal.aborted) onTrouble(unreadable(label, cause));
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  try {
    const tooLong = () => slow(label, timeoutMs);
    await untilStopped({ signals: [signal], clock, timeoutMs, tooLong }, (stopped) =>
      client.connect(link.transport, { signal: stopped, timeout: NO_SDK_TIMEOUT }),
    );
  } catch (error) {
    const words = AgentError.is(error) || signal.aborted ? [] : await link.lastWords();
    await end(gone(label));
    signal.throwIfAborted();
    throw connectError(server, error, words);
  }
  client.onclose = lose;
  return {
    client,
    ended: ended.signal,
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    lostSession: link.lostSession,
    get usable() {
      return !retired && !ended.signal.aborted;
    },
    hold() {
      held++;
      return () => {
        held--;
        endIfOver();
      };
    },
    retire,
    end,
  };
}

export function gone(label: string, cause?: unknown): AgentError {
  const message = `The connection to MCP server '${label}' ended; whether calls in flight did their work is not known. The next call opens another.`;
  return new AgentError("UNAVAILABLE", message, { details: { server: label }, cause });
}

function slow(label: string, timeoutMs: number): AgentError {
  return new AgentError(
    "DEADLINE_EXCEEDED",
    `MCP server '${label}' was not ready within ${timeoutMs} ms; raise 'timeoutMs' if it needs longer to start.`,
    { details: { server: label, timeoutMs } },
  );
}

function unreadable(label: string, cause: Error): AgentError {
  return new AgentError("INTERNAL", `MCP server '${label}' sent what is no MCP message.`, {
    details: { server: label },
    cause,
  });
}
