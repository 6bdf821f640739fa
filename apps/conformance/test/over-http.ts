import { listAgents, type RemoteAgent, remoteAgent, type WebSocketConstructor } from "@agents/client";
import { serve } from "@agents/http/node";
import type { AgentInput } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi, AgentConnection, AgentStream, TurnOptions } from "@agents/schema/port";
import type { Harness } from "@agents/testing/conformance";
import { WebSocket } from "ws";

/** The same agents behind a server on a real port: a connection is a WebSocket, or a request for its one input. */
export function overHttp(harness: Harness, connections: "webSocket" | "request"): Harness {
  return async (request) => {
    const opened = await harness(request);
    const server = await serve({ agents: { agent: opened.agent }, port: 0 });
    const [description] = await listAgents({ url: server.url });
    if (description === undefined) throw new AgentError("INTERNAL", "The server lists no agent.");
    const ws = WebSocket as unknown as WebSocketConstructor;
    const remote = remoteAgent({ url: server.url, ...description, WebSocket: ws });
    return {
      agent: connections === "webSocket" ? remote : byRequest(remote),
      async close() {
        await server.close({ turns: "detach", deadlineMs: 0 });
        await opened.close();
      },
    };
  };
}

function byRequest(remote: RemoteAgent): AgentApi {
  return { ...remote, connect: (options = {}) => new RequestConnection(remote, options) };
}

/** A request has one input; an invocation with several is what sockets are for. */
class RequestConnection implements AgentConnection {
  readonly #remote: RemoteAgent;
  readonly #options: TurnOptions;
  #stream: AgentStream | undefined;
  done = false;
  custom = undefined;

  constructor(remote: RemoteAgent, options: TurnOptions) {
    this.#remote = remote;
    this.#options = options;
  }

  async send(input: AgentInput): Promise<void> {
    if (this.#stream !== undefined) throw new AgentError("FAILED_PRECONDITION", "A request has one input.");
    this.#stream = this.#remote.stream(input, this.#options);
  }

  sendText(text: string): Promise<void> {
    return this.send({ message: { role: "user", content: [{ text }] } });
  }

  sendResume(resume: NonNullable<AgentInput["resume"]>): Promise<void> {
    return this.send({ resume });
  }

  async detach() {
    await this.send({ detach: true });
    return this.output();
  }

  close(): void {}

  receive() {
    return this.#opened();
  }

  receiveTurn() {
    return this.#opened();
  }

  output() {
    return this.#opened().output();
  }

  #opened(): AgentStream {
    if (this.#stream === undefined) throw new AgentError("FAILED_PRECONDITION", "Nothing was sent.");
    return this.#stream;
  }
}
