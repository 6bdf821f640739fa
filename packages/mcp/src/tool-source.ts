import type { AgentError } from "@agents/schema/error";
import type { Clock, Tool, ToolSource } from "@agents/schema/port";
import type { McpClientInfo, McpServerInfo } from "./connection.ts";
import type { McpProgressOption } from "./progress-chunks.ts";
import type { McpServer } from "./server.ts";
import type { McpInclude } from "./tool-list.ts";

export interface McpToolsOptions {
  readonly server: McpServer;
  /** Goes before every name, as it is: "files_". At most 64 letters, digits, `_`, `.`, `-`. @default "" */
  readonly prefix?: string;
  /** Which tools to take, by the server's names. A name that it does not have is NOT_FOUND at the start. @default all */
  readonly include?: McpInclude;
  /**
   * Longest time of connecting, of listing and of one call, each, in milliseconds. At most 2,147,483,647, or Infinity.
   * @default 60_000
   */
  readonly timeoutMs?: number;
  /** Sends the progress of calls to whoever follows the turn. @default false */
  readonly progress?: McpProgressOption;
  /** The server has other tools now; turns that start from here on take them. */
  readonly onChange?: (tools: readonly Tool[]) => void;
  /** What no call fails with: a list that could not be read again, a connection that ended. */
  readonly onError?: (error: AgentError) => void;
  /** Stops connecting, and closes what is open. */
  readonly signal?: AbortSignal;
  /** @default the name of this package */
  readonly clientInfo?: McpClientInfo;
  /** Ends what takes too long. @default the system's */
  readonly clock?: Pick<Clock, "setTimer">;
}

/** The tools of one server, for any number of agents. To be closed: an open one keeps the process alive. */
export interface McpToolSource extends ToolSource, AsyncDisposable {
  /** As the server last listed them. Another array after each change. */
  readonly tools: readonly Tool[];
  readonly serverInfo: McpServerInfo | undefined;
  /** How the server wants its tools to be used: for the system prompt, if the server is trusted. */
  readonly instructions: string | undefined;
  /** Ends calls in flight (CANCELLED), the session and the child process; resolves when they are gone. Never rejects. */
  close(): Promise<void>;
}
