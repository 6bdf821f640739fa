import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { AgentInit, AgentInput, AgentOutput, Message } from "@agents/schema/agent";
import { AgentError, HTTP_STATUS, toAgentError, toWireError } from "@agents/schema/error";
import { encodeSse, encodeSseComment } from "@agents/schema/sse";
import { type WebSocket, WebSocketServer } from "ws";
import { serveConnection } from "./serve-connection.ts";
import { ServerTurn } from "./turn-table.ts";

/** What an input does. Its messages are the session's afterwards, behind the user's own. */
export type Script = (turn: ServerTurn, server: AgentServer) => Promise<Message[] | undefined> | Message[] | undefined;

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { data: AgentInput & Record<string, unknown>; init?: AgentInit } | undefined;
  /** Resolves when the client has closed its side before the answer was complete, or the answer is complete. */
  readonly closed: Promise<"cut" | "whole">;
  readonly response: ServerResponse;
}

export const reply = (text: string): Message => ({ role: "model", content: [{ text }] });

/** Says again what was said, in words of their own. */
export const echo: Script = (turn) => {
  const text = `re: ${turn.input.message?.content[0]?.text ?? ""}`;
  turn.text(...text.split(/(?<= )/));
  return [reply(text)];
};

/** A server of agent routes with scripted turns: just the wire, no runtime. */
export class AgentServer {
  readonly turns = new Map<string, ServerTurn>();
  readonly sessions = new Map<string, string[]>();
  readonly requests: SeenRequest[] = [];
  script: Script = echo;
  /** Whether turns have ids and positions. */
  mode: "server" | "unlogged" | "client" = "server";
  /** Whether a stream that follows a turn ends with its result. */
  lastWord = true;
  /** Answers instead of the routes, when it returns true. */
  intercept: (request: SeenRequest) => boolean | Promise<boolean> = () => false;
  #http: Server;
  #sockets = new Set<Socket>();
  #webSockets = new WebSocketServer({ noServer: true });
  #waiting: { matches: (request: SeenRequest) => boolean; resolve: (request: SeenRequest) => void }[] = [];
  port = 0;

  constructor() {
    this.#http = this.#make();
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Also again after `stop`, on the same port and with the same turns. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(this.port, "127.0.0.1", resolve));
    this.port = (this.#http.address() as AddressInfo).port;
  }

  /** As a crash: every connection is cut. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.cut();
    await closed;
    this.#http = this.#make();
  }

  /** So that a proxy knows what it cuts. */
  closeAfterEachAnswer(): void {
    this.#http.maxRequestsPerSocket = 1;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The next request that matches, or one that came already. */
  seen(matches: (request: SeenRequest) => boolean): Promise<SeenRequest> {
    const found = this.requests.find(matches);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  count(matches: (request: SeenRequest) => boolean): number {
    return this.requests.filter(matches).length;
  }

  turn(index: number): ServerTurn {
    return [...this.turns.values()][index] as ServerTurn;
  }

  messagesOf(snapshotId: string | undefined): Message[] {
    const turn = snapshotId === undefined ? undefined : this.turns.get(snapshotId);
    if (turn === undefined) return [];
    return turn.snapshot.state?.messages ?? this.messagesOf(turn.snapshot.parentId);
  }

  /** Begins a turn and lets its script run. */
  begin(input: AgentInput, init: AgentInit = {}): { turn: ServerTurn; done: Promise<AgentOutput> } {
    const parentId = init.snapshotId ?? this.#head(init.sessionId ?? "");
    const sessionId =
      init.sessionId ?? this.turns.get(parentId ?? "")?.sessionId ?? `session-${this.sessions.size + 1}`;
    const ids = this.sessions.get(sessionId) ?? [];
    const snapshotId = `turn-${this.turns.size + 1}`;
    this.sessions.set(sessionId, [...ids, snapshotId]);
    const snapshot = {
      snapshotId,
      sessionId,
      ordinal: ids.length + 1,
      status: "pending" as const,
      createdAt: "2025-01-01T00:00:00.000Z",
      epoch: 1,
      ...(parentId && { parentId }),
    };
    const turn = new ServerTurn(snapshot, input, this.mode === "server");
    this.turns.set(snapshotId, turn);
    return { turn, done: this.#run(turn, init) };
  }

  async #run(turn: ServerTurn, init: AgentInit): Promise<AgentOutput> {
    const before = init.state?.messages ?? this.messagesOf(turn.snapshot.parentId);
    const said = [...before, ...(turn.input.message ? [turn.input.message as Message] : [])];
    try {
      const messages = [...said, ...((await this.script(turn, this)) ?? [])];
      if (!turn.settled && turn.aborted) turn.settle({ status: "aborted", finishReason: "aborted", messages });
      else if (!turn.settled) turn.settle({ status: "completed", finishReason: "stop", messages });
    } catch (error) {
      const wire = toWireError(toAgentError(error));
      turn.settle({ status: "failed", finishReason: "failed", error: wire, messages: [] });
    }
    const output = turn.output();
    if (this.mode !== "client") return output;
    const { snapshotId: _, snapshotIds: __, ...carried } = output;
    const { state } = turn.snapshot;
    return { ...carried, ...(state && { state }) };
  }

  #head(sessionId: string): string | undefined {
    return this.sessions.get(sessionId)?.findLast((id) => this.turns.get(id)?.snapshot.status === "completed");
  }

  #make(): Server {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        if (response.headersSent) response.destroy();
        else refuse(response, toAgentError(error));
      });
    });
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("upgrade", (request, socket, head) => {
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => this.onConnect(webSocket, request));
    });
    return server;
  }

  /** Serves a connection; a test may put its own in place. */
  onConnect: (socket: WebSocket, request: IncomingMessage) => void = (socket) => serveConnection(this, socket);

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const piece of request) text += String(piece);
    const seen: SeenRequest = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
      closed: new Promise((resolve) =>
        response.on("close", () => resolve(response.writableFinished ? "whole" : "cut")),
      ),
      response,
    };
    this.requests.push(seen);
    this.#waiting = this.#waiting.filter(({ matches, resolve }) => !matches(seen) || resolve(seen));
    if (await this.intercept(seen)) return;
    const [, , , action, turnId] = seen.url.split("?")[0]?.split("/") ?? [];
    if (action === undefined) return this.#postRun(seen);
    if (action === "turns") return this.#follow(seen, decodeURIComponent(turnId ?? ""));
    const data = seen.body?.data ?? {};
    answer(response, await this.#companion(action, data as Record<string, string>));
  }

  async #companion(action: string, { snapshotId, sessionId }: Record<string, string | undefined>): Promise<unknown> {
    const turn = this.turns.get(snapshotId ?? this.sessions.get(sessionId ?? "")?.at(-1) ?? "");
    if (action === "abort") {
      if (turn === undefined) return { snapshotId };
      const { status } = turn.snapshot;
      turn.aborted = true;
      turn.emit({});
      return { snapshotId, previousStatus: status, status: turn.settled ? status : "aborting" };
    }
    if (action === "listSnapshots") {
      const ids = this.sessions.get(sessionId ?? "") ?? [];
      return { snapshots: ids.map((id) => this.turns.get(id)?.snapshot).reverse() };
    }
    if (turn === undefined) throw new AgentError("NOT_FOUND", `Snapshot ${snapshotId ?? sessionId} is not there.`);
    if (action === "waitForSnapshot") while (!turn.settled) await turn.changed();
    return turn.snapshot;
  }

  async #postRun({ body, headers, response }: SeenRequest): Promise<void> {
    const { data, init } = body as NonNullable<SeenRequest["body"]>;
    const { turn, done } = this.begin(data, init);
    if (data.detach === true) {
      const { sessionId, snapshotId } = turn;
      answer(response, { sessionId, snapshotId, finishReason: "detached" });
      return;
    }
    if (!headers.accept?.includes("text/event-stream")) return answer(response, await done);
    const id = this.mode === "client" ? {} : { "x-agents-turn-id": turn.snapshotId };
    response.writeHead(200, { "content-type": "text/event-stream", ...id });
    response.flushHeaders();
    await this.#write(turn, 0, response, (entry) => encodeSse({ data: JSON.stringify(entry) }));
    response.end(encodeSse({ data: JSON.stringify({ result: await done }) }));
  }

  async #follow({ url, headers, response }: SeenRequest, turnId: string): Promise<void> {
    const turn = this.turns.get(turnId);
    if (turn === undefined) throw new AgentError("NOT_FOUND", `Turn ${turnId} is not there.`);
    if (this.mode !== "server") throw new AgentError("FAILED_PRECONDITION", "Cannot use follow: there is no log.");
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(encodeSseComment("welcome"));
    const query = new URL(url, this.url).searchParams.get("after");
    const from = turn.after((headers["last-event-id"] as string | undefined) ?? query ?? undefined);
    await this.#write(turn, from, response, (entry) =>
      encodeSse({ data: JSON.stringify(entry), ...(entry.position && { id: entry.position }) }),
    );
    response.end(this.lastWord ? encodeSse({ data: JSON.stringify({ result: turn.output() }) }) : "");
  }

  async #write(
    turn: ServerTurn,
    from: number,
    response: ServerResponse,
    encode: (entry: ServerTurn["log"][number]) => string,
  ): Promise<void> {
    for (let next = from; !response.destroyed; ) {
      const entry = turn.log[next];
      if (entry !== undefined) {
        next++;
        // An abort is no chunk.
        if (!("message" in entry) || Object.keys(entry.message).length > 0) response.write(encode(entry));
      } else if (turn.settled) return;
      else await turn.changed();
    }
  }
}

export function answer(response: ServerResponse, result: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ result }));
}

export function refuse(response: ServerResponse, error: AgentError): void {
  response.writeHead(HTTP_STATUS[error.status], { "content-type": "application/json" });
  response.end(JSON.stringify(toWireError(error)));
}
