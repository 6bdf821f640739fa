import { AgentError } from "@agents/schema/error";
import type { AgentContext } from "@agents/schema/port";
import { wait } from "../clock/wait.ts";
import type { Settings } from "../transport/settings.ts";
import type { WebSocketLike } from "../transport/web-socket.ts";

export interface SocketEvents {
  onFrame(frame: Readonly<Record<string, unknown>>): void;
  /** Once: the socket is gone, or never came. Not after `close`. */
  onLost(error: AgentError): void;
}

/** Bytes that may wait in the socket before a sender waits for it. */
const HIGH_WATER = 1024 * 1024;
/** How often a sender looks whether they have gone: sockets do not say. */
const DRAIN_LOOK_MS = 20;

/** A WebSocket that speaks JSON. Sending waits until it is open, and for a slow network. */
export class SocketLink {
  readonly #settings: Settings;
  readonly #events: SocketEvents;
  readonly #what: string;
  readonly #ended = new AbortController();
  readonly #open: Promise<WebSocketLike>;
  #socket: WebSocketLike | undefined;
  #paused = false;

  constructor(settings: Settings, path: string, context: AgentContext | undefined, events: SocketEvents) {
    this.#settings = settings;
    this.#events = events;
    this.#what = socketUrl(settings.url, path);
    this.#open = this.#connect(context);
    this.#open.catch((error) => this.#lose(error as AgentError));
  }

  /** Resolves when the frame is with the network. Rejects when the socket is gone before. */
  async send(frame: unknown): Promise<void> {
    const text = JSON.stringify(frame);
    const socket = await this.#open;
    this.#ended.signal.throwIfAborted();
    socket.send(text);
    while (socket.bufferedAmount > HIGH_WATER && !this.#ended.signal.aborted) {
      await wait(this.#settings.clock, DRAIN_LOOK_MS, this.#ended.signal);
    }
    this.#ended.signal.throwIfAborted();
  }

  /** Stops or goes on reading, where the socket can: then a slow reader slows the server. */
  pause(paused: boolean): void {
    if (this.#paused === paused || this.#socket === undefined) return;
    this.#paused = paused;
    if (paused) this.#socket.pause?.();
    else this.#socket.resume?.();
  }

  close(): void {
    this.#end(new AgentError("CANCELLED", `The connection to ${this.#what} was closed.`));
  }

  #end(reason: AgentError): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(reason);
    const socket = this.#socket;
    if (socket === undefined) return;
    this.pause(false);
    socket.onmessage = null;
    // `ws` reports a close during the handshake as an error; with nobody listening it would end the process.
    socket.onerror = () => {};
    socket.close();
  }

  #lose(error: AgentError): void {
    if (this.#ended.signal.aborted) return;
    this.#end(error);
    this.#events.onLost(error);
  }

  async #connect(context: AgentContext | undefined): Promise<WebSocketLike> {
    const { WebSocket, headers, clock, patience } = this.#settings;
    if (WebSocket === undefined) {
      throw new AgentError("FAILED_PRECONDITION", "There is no WebSocket here: pass that of `ws` as option WebSocket.");
    }
    const own = await headers({ context });
    this.#ended.signal.throwIfAborted();
    const socket = new WebSocket(this.#what, [], { headers: { ...own } });
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      const unavailable = (why: string, cause?: unknown): AgentError =>
        new AgentError("UNAVAILABLE", `The WebSocket to ${this.#what} ${why}.`, { cause });
      const cancel = clock.setTimer(patience.callMs, () =>
        reject(unavailable(`did not open in ${patience.callMs} ms`)),
      );
      const lose = (error: AgentError): void => {
        cancel();
        reject(error);
        this.#lose(error);
      };
      this.#ended.signal.addEventListener("abort", () => lose(this.#ended.signal.reason as AgentError), { once: true });
      socket.onopen = () => {
        cancel();
        resolve(socket);
      };
      socket.onmessage = ({ data }: { data: unknown }) => this.#receive(data);
      socket.onerror = (event: { message?: unknown }) =>
        lose(unavailable(typeof event.message === "string" ? `failed: ${event.message}` : "failed", event));
      socket.onclose = ({ code, reason }: { code?: number; reason?: string }) =>
        lose(unavailable(`was closed (${[code, reason].filter(Boolean).join(": ")})`));
    });
  }

  #receive(data: unknown): void {
    let frame: unknown;
    try {
      frame = JSON.parse(data as string);
    } catch (cause) {
      this.#lose(new AgentError("DATA_LOSS", "A frame of the WebSocket is not JSON.", { cause }));
      return;
    }
    if (typeof frame === "object" && frame !== null) this.#events.onFrame(frame as Readonly<Record<string, unknown>>);
  }
}

/** Sockets have schemes of their own. A relative URL is one of the page. */
function socketUrl(url: string, path: string): string {
  const { location } = globalThis as { location?: { href: string } };
  const absolute = new URL(`${url}${path}`, location?.href);
  absolute.protocol = absolute.protocol.replace("http", "ws");
  return absolute.href;
}
