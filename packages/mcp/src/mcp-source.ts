import { AgentError, toAgentError } from "@agents/schema/error";
import type { Clock, Tool } from "@agents/schema/port";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { readFailure } from "./call-error.ts";
import { type Connection, connect, gone, type McpServerInfo, NO_SDK_TIMEOUT } from "./connection.ts";
import { type AskOutcome, type AskServer, makeTool } from "./make-tool.ts";
import { createRefresher } from "./refresher.ts";
import { labelOf } from "./server.ts";
import { checkIncluded, includeTools, type McpToolInfo, readToolList } from "./tool-list.ts";
import { nameTools } from "./tool-names.ts";
import type { McpToolSource, McpToolsOptions } from "./tool-source.ts";
import { untilStopped } from "./until-stopped.ts";

export interface McpSourceOptions extends McpToolsOptions {
  readonly prefix: string;
  readonly timeoutMs: number;
}

/** One server, one connection at a time, opened again by the first call that finds none. */
export class McpSource implements McpToolSource {
  readonly #options: McpSourceOptions;
  readonly #label: string;
  readonly #clock: Pick<Clock, "setTimer">;
  readonly #closing = new AbortController();
  #connection: Connection | undefined;
  /** The connection, and those that only wait for their last answers. */
  readonly #open = new Set<Connection>();
  #opening: Promise<Connection> | undefined;
  #closed: Promise<void> | undefined;
  #started = false;
  #tools: readonly Tool[] = [];
  /** What the tools were made from, to tell whether a list is another. */
  #listed = "";
  serverInfo: McpServerInfo | undefined;
  instructions: string | undefined;
  onClosed: () => void = () => {};

  constructor(options: McpSourceOptions) {
    this.#options = options;
    this.#label = labelOf(options.server);
    this.#clock = options.clock ?? SYSTEM_TIMERS;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Rejects when there is no connection, or not the tools that were asked for. */
  async start(): Promise<void> {
    await this.#connected();
    this.#started = true;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    const over = new AgentError("CANCELLED", `The tools of MCP server '${this.#label}' were closed.`);
    this.#closing.abort(over);
    await this.#opening?.catch(() => {});
    await Promise.all([...this.#open].map((connection) => connection.end(over)));
    this.onClosed();
  }

  /** All who ask while a connection is being opened share it. */
  #connected(): Promise<Connection> {
    if (this.#closed !== undefined) return Promise.reject(closed(this.#label));
    if (this.#connection?.usable === true) return Promise.resolve(this.#connection);
    this.#opening ??= this.#openAnother().finally(() => {
      this.#opening = undefined;
    });
    // Whoever asked may have stopped waiting.
    this.#opening.catch(() => {});
    return this.#opening;
  }

  async #openAnother(): Promise<Connection> {
    const { server, clientInfo = CLIENT, timeoutMs } = this.#options;
    // A change may be told before the first list is asked for: it is read anyway.
    let changed = (): void => {};
    const connection = await connect({
      server,
      clientInfo,
      timeoutMs,
      clock: this.#clock,
      signal: this.#closing.signal,
      onToolsChanged: () => changed(),
      onTrouble: (error) => this.#report(error),
    });
    const refresh = createRefresher(() => this.#list(connection));
    changed = () => {
      refresh().catch((error: unknown) => {
        if (connection.usable) this.#report(toAgentError(error));
      });
    };
    try {
      await refresh();
    } catch (error) {
      await connection.end(gone(this.#label));
      throw error;
    }
    this.#connection = connection;
    if (connection.ended.aborted) return connection;
    this.#open.add(connection);
    connection.ended.addEventListener("abort", () => this.#open.delete(connection), { once: true });
    return connection;
  }

  async #list(connection: Connection): Promise<void> {
    const { include, timeoutMs } = this.#options;
    const tooLong = () => this.#tooLong("list its tools");
    this.serverInfo = connection.serverInfo;
    this.instructions = connection.instructions;
    const listing = connection.hasTools
      ? await untilStopped(
          { signals: [connection.ended, this.#closing.signal], clock: this.#clock, timeoutMs, tooLong },
          (signal) => readToolList(connection.client, this.#label, signal),
        )
      : { tools: [], unusable: [] };
    // Another connection has read a newer list, or will.
    if (!connection.usable) return;
    if (!this.#started) checkIncluded(listing.tools, include, this.#label);
    if (listing.unusable.length > 0) this.#report(unusable(this.#label, listing.unusable));
    this.#take(includeTools(listing.tools, include));
  }

  #take(infos: readonly McpToolInfo[]): void {
    const listed = JSON.stringify(infos);
    if (listed === this.#listed) return;
    this.#listed = listed;
    const { prefix, progress = false, onChange } = this.#options;
    const names = nameTools(
      infos.map(({ name }) => name),
      prefix,
    );
    this.#tools = Object.freeze(
      infos.map((info) => makeTool({ name: names.get(info.name) as string, info, progress, ask: this.#ask })),
    );
    if (!this.#started) return;
    try {
      onChange?.(this.#tools);
    } catch (error) {
      this.#report(toAgentError(error));
    }
  }

  readonly #ask: AskServer = async (tool, input, options) => {
    const outcome = await this.#tryAsk(tool, input, options);
    // The server did not know the session, so it did nothing: the call may be made again, once.
    return outcome ?? (await this.#tryAsk(tool, input, options)) ?? this.#lostTwice();
  };

  /** Undefined when the server no longer knew the session. */
  async #tryAsk(...[tool, input, { signal, progress }]: Parameters<AskServer>): Promise<AskOutcome | undefined> {
    const { timeoutMs } = this.#options;
    const tooLong = () => this.#tooLong(`answer '${tool}'`);
    const limits = { clock: this.#clock, timeoutMs, tooLong };
    const connection = await untilStopped({ ...limits, signals: [signal] }, () => this.#connected());
    const release = connection.hold();
    try {
      const request = { method: "tools/call" as const, params: { name: tool, arguments: input } };
      const onprogress = progress === undefined ? {} : { onprogress: progress.onprogress };
      const result = await untilStopped({ ...limits, signals: [signal, connection.ended] }, (stopped) =>
        connection.client.request(request, CallToolResultSchema, {
          ...onprogress,
          signal: stopped,
          timeout: NO_SDK_TIMEOUT,
        }),
      );
      return { type: "result", result };
    } catch (error) {
      signal.throwIfAborted();
      if (connection.lostSession(error)) {
        connection.retire();
        return undefined;
      }
      const failure = readFailure(this.#label, tool, error);
      if (!AgentError.is(failure)) return failure;
      // Nobody answers at all: the next call is to look again.
      if (error instanceof TypeError) connection.retire();
      throw failure;
    } finally {
      release();
    }
  }

  #lostTwice(): never {
    throw gone(this.#label);
  }

  #tooLong(what: string): AgentError {
    const { timeoutMs } = this.#options;
    return new AgentError(
      "DEADLINE_EXCEEDED",
      `MCP server '${this.#label}' did not ${what} within ${timeoutMs} ms; raise 'timeoutMs' if it needs longer.`,
      { details: { server: this.#label, timeoutMs } },
    );
  }

  #report(error: AgentError): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // Who was told of trouble and makes more has nobody else to tell.
    }
  }
}

const CLIENT = { name: "@agents/mcp", version: "0.0.0" } as const;

const SYSTEM_TIMERS: Pick<Clock, "setTimer"> = {
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

function closed(label: string): AgentError {
  const message = `The tools of MCP server '${label}' were closed; call 'mcpTools' again.`;
  return new AgentError("FAILED_PRECONDITION", message, { details: { server: label } });
}

function unusable(label: string, names: readonly string[]): AgentError {
  const message = `MCP server '${label}' lists ${names.join(", ")}, which cannot be called: malformed, or only as tasks.`;
  return new AgentError("UNIMPLEMENTED", message, { details: { server: label, tools: names } });
}
