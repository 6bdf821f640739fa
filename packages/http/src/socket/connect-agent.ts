import { parseWire } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { AgentApi, AgentConnection, PositionedChunk } from "@agents/schema/port";
import { CONNECT_CLOSE_CODES } from "@agents/schema/route";
import { type ConnectRequestFrame, ConnectRequestFrameSchema } from "@agents/schema/wire";
import type { Exchange } from "../edge/exchange.ts";
import { httpStatusOf } from "../edge/http-error.ts";
import { parseJson } from "../limit/parse-json.ts";
import { isRejoinable } from "../route/find-agent.ts";
import type { Services } from "../route/services.ts";
import { nobodyListens, startPoint } from "../route/start-turn.ts";
import type { Socket, SocketEvents } from "./socket.ts";
import { TurnFrames } from "./turn-frames.ts";

export interface ConnectAgentOptions {
  readonly agent: AgentApi;
  readonly exchange: Exchange;
  readonly services: Services;
}

/** How long a client may take to say how it starts, in milliseconds. */
const START_WITHIN_MS = 10_000;
/** Inputs that wait inside the agent before the socket is read no further. */
const MOST_WAITING = 64;

/** One invocation over one socket: any number of turns, then the output or an error, then the end. */
export function connectAgent(socket: Socket, options: ConnectAgentOptions): SocketEvents {
  return new ConnectedAgent(socket, options);
}

class ConnectedAgent implements SocketEvents {
  readonly #socket: Socket;
  readonly #options: ConnectAgentOptions;
  readonly #controller = new AbortController();
  readonly #turns: TurnFrames;
  readonly #stops: (() => void)[];
  #connection: AgentConnection | undefined;
  #chunks: AsyncIterator<PositionedChunk> | undefined;
  #waiting = 0;
  /** Nothing is sent any more. */
  #ended = false;
  /** Nobody reads any more. */
  #left = false;

  constructor(socket: Socket, options: ConnectAgentOptions) {
    const { agent, services } = options;
    this.#socket = socket;
    this.#options = options;
    this.#turns = new TurnFrames((frame) => void this.#send(frame));
    this.#stops = [
      services.clock.setTimer(START_WITHIN_MS, () => {
        if (this.#connection !== undefined) return;
        this.#fail(new AgentError("DEADLINE_EXCEEDED", `No frame "start" came within ${START_WITHIN_MS} ms.`));
      }),
      services.work.serve({
        kind: "turn",
        rejoinable: isRejoinable(agent),
        finish: (error) => this.#finish(error),
        interrupt: (error) => this.#interrupt(error),
        abort: (reason) => this.#controller.abort(reason),
      }),
    ];
    try {
      // Only now is there a socket: one that was given up on the way takes no place.
      this.#stops.push(services.streams.open());
    } catch (error) {
      this.#fail(error);
    }
  }

  message(text: string): void {
    if (this.#ended) return;
    try {
      this.#take(this.#read(text));
    } catch (error) {
      this.#fail(error);
    }
  }

  binary(): void {
    this.#fail(new AgentError("INVALID_ARGUMENT", "Frames are text, not binary."), CONNECT_CLOSE_CODES.notText);
  }

  gone(): void {
    this.#end();
    this.#leave("client");
  }

  #read(text: string): ConnectRequestFrame {
    const what = "frame of the connection";
    const value = parseJson(text, { what, depth: this.#options.services.limits.jsonDepth });
    return parseWire(ConnectRequestFrameSchema, value, { what });
  }

  #take(frame: ConnectRequestFrame): void {
    if (frame.type === "start") {
      if (this.#connection !== undefined) throw outOfTurn(`"start" comes once`);
      this.#start(frame.init);
      return;
    }
    const connection = this.#connection;
    if (connection === undefined) throw outOfTurn(`the first frame is "start"`);
    switch (frame.type) {
      case "input":
        this.#accept(connection.send(frame.input), connection);
        return;
      case "abort":
        this.#controller.abort(new AgentError("CANCELLED", "The client stopped the turn."));
        return;
      case "close":
        connection.close();
    }
  }

  #start(init: unknown): void {
    const { agent, exchange } = this.#options;
    const connection = agent.connect({
      ...startPoint(init),
      context: exchange.context,
      signal: this.#controller.signal,
      onTurn: (turnId) => this.#turns.begin(turnId),
    });
    this.#connection = connection;
    void this.#pump(connection);
  }

  /** Sends go to the agent as they come: a wish to leave or to stop is then seen ahead of inputs that wait. */
  #accept(sent: Promise<void>, connection: AgentConnection): void {
    this.#waiting += 1;
    if (this.#waiting === MOST_WAITING) this.#socket.pause();
    const taken = (): void => {
      if (this.#waiting === MOST_WAITING) this.#socket.resume();
      this.#waiting -= 1;
    };
    sent.then(taken, (error: unknown) => {
      taken();
      // One that crossed the output on its way is answered by it.
      if (!connection.done) this.#fail(error);
    });
  }

  async #pump(connection: AgentConnection): Promise<void> {
    try {
      const source = connection.positioned?.() ?? withoutPositions(connection);
      this.#chunks = source[Symbol.asyncIterator]();
      for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) {
        const { chunk, position } = next.value;
        const wait = this.#send({ type: "chunk", message: chunk, ...(position === undefined ? {} : { position }) });
        if (chunk.turnEnd !== undefined) this.#turns.end();
        if (wait !== undefined) await wait;
        if (this.#left) return;
      }
      const result = await connection.output();
      if (this.#ended) return;
      void this.#send({ type: "result", result });
      const { draining } = this.#options.services.work;
      this.#close(draining ? CONNECT_CLOSE_CODES.goingAway : CONNECT_CLOSE_CODES.done, "done");
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(frame: object): Promise<void> | undefined {
    return this.#ended ? undefined : this.#socket.send(JSON.stringify(frame));
  }

  /** The server is about to end: no more inputs. What was accepted is done first. */
  #finish(error: AgentError): void {
    if (this.#connection === undefined) this.#interrupt(error);
    else this.#connection.close();
  }

  #interrupt(error: AgentError): void {
    const turnId = this.#turns.current;
    const details = { ...(error.details as object), ...(turnId === undefined ? {} : { turnId }) };
    this.#fail(new AgentError(error.status, error.message, { details }), CONNECT_CLOSE_CODES.goingAway, "shutdown");
  }

  #fail(error: unknown, code?: number, why: "client" | "shutdown" = "client"): void {
    if (this.#ended) return;
    const { services, exchange } = this.#options;
    const wire = services.errors.wire(error, exchange);
    void this.#send({ type: "error", error: wire });
    const caused = httpStatusOf(error) < 500 ? CONNECT_CLOSE_CODES.refused : CONNECT_CLOSE_CODES.failed;
    this.#close(code ?? caused, wire.status);
    this.#leave(why);
  }

  #close(code: number, reason: string): void {
    this.#end();
    this.#socket.close(code, reason);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#stops) stop();
  }

  /** The invocation goes on as far as the rules of absence let it, and takes no more inputs. */
  #leave(why: "client" | "shutdown"): void {
    const connection = this.#connection;
    if (this.#left || connection === undefined) return;
    this.#left = true;
    if (connection.done) return;
    connection.close();
    void this.#chunks?.return?.();
    const { agent, services } = this.#options;
    const over = connection.output();
    const abort = (reason: AgentError): void => this.#controller.abort(reason);
    services.work.run({ over, abort });
    if (why === "shutdown") return;
    const turnId = this.#turns.current;
    services.attendance.leave({
      turnId: async () => turnId,
      over,
      rejoinable: turnId !== undefined && isRejoinable(agent),
      abort: () => abort(nobodyListens()),
    });
  }
}

function withoutPositions(connection: AgentConnection): AsyncIterable<PositionedChunk> {
  return (async function* () {
    for await (const chunk of connection.receive()) yield { chunk };
  })();
}

function outOfTurn(rule: string): AgentError {
  return new AgentError("INVALID_ARGUMENT", `This frame comes at the wrong time: ${rule}.`);
}
