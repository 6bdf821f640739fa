import type { AgentInput, AgentOutput } from "@agents/schema/agent";
import { AgentError, fromWireError } from "@agents/schema/error";
import { AGENT_PATHS, fillPath } from "@agents/schema/route";
import { ChunkBuffer } from "../stream/chunk-buffer.ts";
import { type Entry, entryOf } from "../stream/entry.ts";
import { mayPass } from "../stream/join-state.ts";
import type { RemoteCalls, RemoteTurnOptions } from "../stream/remote-calls.ts";
import { resumableSource } from "../stream/resumable-source.ts";
import { SocketLink } from "./socket-link.ts";
import { TurnTrack } from "./turn-track.ts";

interface Refusal {
  readonly reason: "closed" | "completed";
  readonly state: string;
}

/** Entries kept for a slow reader before the socket is asked to wait, where it can. */
const HIGH_WATER = 1024;
/** Entries kept where it cannot: beyond, the connection fails with RESOURCE_EXHAUSTED. */
const CAPACITY = 16_384;

/** One invocation: by its socket, and, once that is lost, by joining the turn in flight over HTTP. */
export class SocketInvocation<Custom, Status> {
  readonly buffer: ChunkBuffer<Entry<Status>>;
  readonly output: Promise<AgentOutput<Custom>>;
  readonly #calls: RemoteCalls<Custom>;
  readonly #options: RemoteTurnOptions<Custom>;
  readonly #link: SocketLink;
  readonly #track = new TurnTrack();
  #resolve: (output: AgentOutput<Custom>) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** Why nothing can be sent any more. */
  #refusal: Refusal | undefined;
  #source: ReturnType<typeof resumableSource<Custom, Status>> | undefined;
  #done = false;
  #cancelSilence: () => void = () => {};
  #cancelGrace: () => void = () => {};
  /** Wakes the reading of a joined turn. */
  #onWanted: () => void = () => {};

  constructor(calls: RemoteCalls<Custom>, options: RemoteTurnOptions<Custom>) {
    this.#calls = calls;
    this.#options = options;
    const { context, signal, sessionId, snapshotId, state } = options;
    this.buffer = new ChunkBuffer({ capacity: CAPACITY, onDemand: () => this.#onDemand(), onLeave: () => {} });
    this.output = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever wants the output awaits it; a failure that nobody asks for must not end the process.
    this.output.catch(() => {});
    this.#link = new SocketLink(calls.settings, fillPath(AGENT_PATHS.connect, { name: calls.name }), context, {
      onFrame: (frame) => this.#onFrame(frame),
      onLost: (error) => this.#onLost(error),
    });
    this.#link.send({ type: "start", init: { sessionId, snapshotId, state } }).catch(() => {});
    if (signal?.aborted) this.#fail(signal.reason);
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get done(): boolean {
    return this.#done;
  }

  get turnId(): string | undefined {
    return this.#track.turnId;
  }

  async send(input: AgentInput): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refuse(this.#refusal);
    this.#track.onInput(input);
    this.#watchSilence();
    const sent = this.#link.send({ type: "input", input });
    // Whoever leaves has nothing more to say.
    if (input.detach === true) this.close();
    await sent;
  }

  close(): void {
    if (this.#refusal !== undefined) return;
    this.#refusal = { reason: "closed", state: "was closed" };
    this.#link.send({ type: "close" }).catch(() => {});
    this.#watchSilence();
  }

  async abort(): Promise<void> {
    if (this.#done) return;
    const { turnId } = this.#track;
    const { context } = this.#options;
    if (this.#source === undefined || turnId === undefined) await this.#link.send({ type: "abort" });
    else await this.#calls.snapshots.abort(turnId, context && { context });
  }

  #onFrame(frame: Readonly<Record<string, unknown>>): void {
    const { type, turnId } = frame;
    const entry = type === "restarted" ? entryOf<Status>({ ...frame, restarted: true }) : entryOf<Status>(frame);
    if (type === "turn") this.#onTurn(typeof turnId === "string" ? turnId : undefined);
    else if (type === "result") this.#succeed(frame.result as AgentOutput<Custom>);
    else if (type === "error") this.#onError(fromWireError(frame.error));
    else if (entry !== undefined) this.#push(entry);
    if (!this.#done) this.#watchSilence();
  }

  #onTurn(turnId: string | undefined): void {
    this.#track.onTurn(turnId);
    if (turnId !== undefined) this.#options.onTurn?.(turnId);
  }

  /** A server that goes down says so; its turns may be had from another. */
  #onError(error: AgentError): void {
    if (!mayPass(error)) {
      this.#fail(error);
      return;
    }
    this.#link.close();
    this.#onLost(error);
  }

  #push(entry: Entry<Status>): void {
    if (!this.#track.onEntry(entry)) return;
    this.buffer.push(entry);
    const { size } = this.buffer;
    if (size >= HIGH_WATER) this.#link.pause(true);
    if (size > CAPACITY) {
      const message = `Nobody read ${CAPACITY} chunks of the connection; read it, or call output() to have them dropped.`;
      this.#fail(new AgentError("RESOURCE_EXHAUSTED", message, { details: { limit: CAPACITY } }));
    }
  }

  #onDemand(): void {
    if (this.buffer.size < HIGH_WATER / 2 || this.buffer.draining) this.#link.pause(false);
    if (this.buffer.wanted) this.#onWanted();
  }

  #onLost(error: AgentError): void {
    this.#cancelSilence();
    if (this.#done) return;
    const { rest } = this.#track;
    const expected = this.#track.busy || this.#refusal !== undefined;
    this.#refusal ??= { reason: "closed", state: "was lost" };
    if (rest !== undefined && expected) void this.#join(rest);
    else this.#fail(lost(error, this.#track.turnId));
  }

  async #join(state: NonNullable<TurnTrack["rest"]>): Promise<void> {
    const source = resumableSource<Custom, Status>(this.#calls, state, this.#options.context);
    this.#source = source;
    try {
      while (!source.ended) {
        if (!this.buffer.wanted) await new Promise<void>((resolve) => (this.#onWanted = resolve));
        const pulled = await source.next();
        if (pulled.type === "entry") this.#push(pulled.entry);
      }
      this.#succeed(source.output);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #onAbort = (): void => {
    const { clock, patience } = this.#calls.settings;
    const reason: unknown = this.#options.signal?.reason;
    this.#cancelGrace = clock.setTimer(patience.abortMs, () => this.#fail(reason));
    this.abort().catch(() => {});
    this.close();
    this.buffer.release();
  };

  /** A socket that says nothing while something is owed is as good as lost. */
  #watchSilence(): void {
    this.#cancelSilence();
    const { clock, patience } = this.#calls.settings;
    if (this.#source !== undefined || (!this.#track.busy && this.#refusal === undefined)) return;
    this.#cancelSilence = clock.setTimer(patience.silentTurnMs, () => {
      this.#link.close();
      const message = `The WebSocket brought nothing for ${patience.silentTurnMs} ms.`;
      this.#onLost(new AgentError("DEADLINE_EXCEEDED", message));
    });
  }

  #succeed(output: AgentOutput<Custom>): void {
    if (!this.#complete()) return;
    this.buffer.finish({ type: "end" });
    this.#resolve(output);
  }

  #fail(error: unknown): void {
    if (!this.#complete()) return;
    this.buffer.finish({ type: "error", error });
    this.#reject(error);
  }

  #complete(): boolean {
    if (this.#done) return false;
    this.#done = true;
    this.#refusal = { reason: "completed", state: "has completed" };
    this.#cancelSilence();
    this.#cancelGrace();
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#source?.fail(new AgentError("CANCELLED", "The connection is over."));
    this.#onWanted();
    this.#link.close();
    return true;
  }

  #refuse({ reason, state }: Refusal): AgentError {
    const message = `Cannot send: the connection to agent '${this.#calls.name}' ${state}. Open a new one.`;
    return new AgentError("FAILED_PRECONDITION", message, { details: { reason } });
  }
}

const PASSING: ReadonlySet<string> = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "DATA_LOSS"]);

function lost(cause: AgentError, turnId: string | undefined): AgentError {
  if (!PASSING.has(cause.status)) return cause;
  const what = turnId === undefined ? "" : ` Turn ${turnId} may still be running; follow it.`;
  return new AgentError(cause.status, `The connection was lost: ${cause.message}${what}`, {
    cause,
    ...(turnId && { details: { turnId } }),
  });
}
