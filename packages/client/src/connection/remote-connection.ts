import type { AgentChunk, AgentInput, AgentOutput } from "@agents/schema/agent";
import { AgentError, fromWireError } from "@agents/schema/error";
import type { AgentConnection, PositionedChunk } from "@agents/schema/port";
import { AGENT_PATHS, fillPath } from "@agents/schema/route";
import { CustomTracker } from "../state/custom-tracker.ts";
import { ChunkBuffer } from "../stream/chunk-buffer.ts";
import { ChunkReader } from "../stream/chunk-reader.ts";
import { type Entry, mayPass } from "../stream/join-state.ts";
import type { RemoteCalls, RemoteTurnOptions } from "../stream/remote-calls.ts";
import { resumableSource } from "../stream/resumable-source.ts";
import { textInput } from "../stream/text-input.ts";
import { SocketLink } from "./socket-link.ts";
import { TurnTrack } from "./turn-track.ts";

/**
 * One invocation over a WebSocket. When the socket is lost, the turn in flight is joined again over HTTP and nothing can be
 * sent any more; what cannot be had that way (an input that had no turn yet) ends the connection with UNAVAILABLE.
 */
export interface RemoteConnection<Custom = unknown, Status = unknown> extends AgentConnection<Custom, Status> {
  /** Stops the turn that runs. The output then says how it ended. */
  abort(): Promise<void>;
  /** The same chunks as `receive`, with their positions. */
  positioned(): AsyncIterable<PositionedChunk<Status>>;
}

/** Entries kept for a slow reader before the socket is asked to wait, where it can. */
const HIGH_WATER = 1024;
/** Entries kept where it cannot: beyond, the connection fails with RESOURCE_EXHAUSTED. */
const CAPACITY = 16_384;

interface Refusal {
  readonly reason: "closed" | "completed";
  readonly state: string;
}

export class SocketConnection<Custom, Status> implements RemoteConnection<Custom, Status> {
  readonly #calls: RemoteCalls<Custom>;
  readonly #options: RemoteTurnOptions<Custom>;
  readonly #link: SocketLink;
  readonly #buffer: ChunkBuffer<Entry<Status>>;
  readonly #track = new TurnTrack();
  readonly #custom: CustomTracker<Custom>;
  readonly #shown = { count: 0 };
  readonly #output: Promise<AgentOutput<Custom>>;
  #resolve: (output: AgentOutput<Custom>) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** Why nothing can be sent any more. */
  #refusal: Refusal | undefined;
  #source: ReturnType<typeof resumableSource<Custom, Status>> | undefined;
  #done = false;
  #cancelSilence: () => void = () => {};
  #cancelGrace: () => void = () => {};

  constructor(calls: RemoteCalls<Custom>, options: RemoteTurnOptions<Custom>) {
    this.#calls = calls;
    this.#options = options;
    const { context, signal, sessionId, snapshotId, state } = options;
    this.#custom = new CustomTracker(state?.custom);
    this.#buffer = new ChunkBuffer({ capacity: CAPACITY, onDemand: () => this.#onDemand(), onLeave: () => {} });
    this.#output = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#output.catch(() => {});
    this.#link = new SocketLink(calls.settings, fillPath(AGENT_PATHS.connect, { name: calls.name }), context, {
      onFrame: (frame) => this.#onFrame(frame),
      onLost: (error) => this.#onLost(error),
    });
    this.#link.send({ type: "start", init: { sessionId, snapshotId, state } }).catch(() => {});
    if (signal?.aborted) this.#fail(signal.reason);
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get custom(): Custom | undefined {
    return this.#custom.value;
  }

  get done(): boolean {
    return this.#done;
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

  sendText(text: string): Promise<void> {
    return this.send(textInput(text));
  }

  sendResume(resume: NonNullable<AgentInput["resume"]>): Promise<void> {
    return this.send({ resume });
  }

  async detach(): Promise<AgentOutput<Custom>> {
    await this.send({ detach: true }).catch((error: unknown) => {
      // The output may be there before the wish was sent; any other refusal counts.
      if (!this.#done) throw error;
    });
    return this.output();
  }

  async abort(): Promise<void> {
    if (this.#done) return;
    const { turnId } = this.#track;
    if (this.#source !== undefined && turnId !== undefined) {
      await this.#calls.snapshots.abort(turnId, this.#options.context && { context: this.#options.context });
    } else {
      await this.#link.send({ type: "abort" });
    }
  }

  close(): void {
    if (this.#refusal !== undefined) return;
    this.#refusal = { reason: "closed", state: "was closed" };
    this.#link.send({ type: "close" }).catch(() => {});
    this.#watchSilence();
  }

  receive(): AsyncIterable<AgentChunk<Status>> {
    return this.#read(({ chunk }) => chunk);
  }

  receiveTurn(): AsyncIterable<AgentChunk<Status>> {
    return this.#read(
      ({ chunk }) => chunk,
      (entry) => "chunk" in entry && entry.chunk.turnEnd !== undefined,
    );
  }

  positioned(): AsyncIterable<PositionedChunk<Status>> {
    return this.#read((positioned) => positioned);
  }

  output(): Promise<AgentOutput<Custom>> {
    this.close();
    this.#buffer.drain();
    return this.#output;
  }

  #read<Value>(
    show: (positioned: PositionedChunk<Status>) => Value,
    last?: (entry: Entry<Status>) => boolean,
  ): AsyncIterable<Value> {
    return {
      [Symbol.asyncIterator]: () => {
        const reader = new ChunkReader<Status>(
          { [Symbol.asyncIterator]: () => this.#buffer.values(last) },
          { shown: this.#shown, turnId: () => this.#track.turnId },
        );
        return {
          next: async () => {
            const { value, done } = await reader.next();
            if (done) return { value: undefined, done };
            await this.#see(value.chunk);
            return { value: show(value), done: false };
          },
          return: async () => {
            await reader.return();
            return { value: undefined, done: true };
          },
        };
      },
    };
  }

  /** Custom state that went astray is taken from the turn's snapshot, before its end is shown. */
  async #see(chunk: AgentChunk<Status>): Promise<void> {
    this.#custom.see(chunk);
    if (chunk.turnEnd === undefined) return;
    this.#shown.count = 0;
    const { snapshotId } = chunk.turnEnd;
    if (!this.#custom.stale || snapshotId === undefined) return;
    const { context } = this.#options;
    const snapshot = await this.#calls.snapshots.getSnapshot(snapshotId, context && { context }).catch(() => undefined);
    if (snapshot?.state !== undefined) this.#custom.rebase(snapshot.state.custom);
  }

  #onFrame(frame: Readonly<Record<string, unknown>>): void {
    const { type, position } = frame;
    const place = typeof position === "string" ? { position } : {};
    if (type === "turn") this.#onTurn(typeof frame.turnId === "string" ? frame.turnId : undefined);
    else if (type === "chunk") this.#push({ chunk: frame.message as AgentChunk<Status>, ...place });
    else if (type === "restarted" && typeof position === "string") this.#push({ restarted: true, position });
    else if (type === "result") this.#succeed(frame.result as AgentOutput<Custom>);
    else if (type === "error") this.#onError(fromWireError(frame.error));
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
    this.#buffer.push(entry);
    const { size } = this.#buffer;
    if (size >= HIGH_WATER) this.#link.pause(true);
    if (size > CAPACITY) {
      const message = `Nobody read ${CAPACITY} chunks of the connection; read it, or call output() to have them dropped.`;
      this.#fail(new AgentError("RESOURCE_EXHAUSTED", message, { details: { limit: CAPACITY } }));
    }
  }

  #onDemand(): void {
    if (this.#buffer.size < HIGH_WATER / 2 || this.#buffer.draining) this.#link.pause(false);
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
      for (;;) {
        const pulled = await source.next();
        if (pulled.type === "entry") this.#push(pulled.entry);
        else if (pulled.type === "ended") return this.#succeed(source.output);
      }
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
    this.#buffer.release();
  };

  /** A socket that says nothing while something is owed is as good as lost. */
  #watchSilence(): void {
    this.#cancelSilence();
    const { clock, patience } = this.#calls.settings;
    if (this.#source !== undefined || (!this.#track.busy && this.#refusal === undefined)) return;
    this.#cancelSilence = clock.setTimer(patience.silentTurnMs, () => {
      this.#link.close();
      this.#onLost(
        new AgentError("DEADLINE_EXCEEDED", `The WebSocket brought nothing for ${patience.silentTurnMs} ms.`),
      );
    });
  }

  #succeed(output: AgentOutput<Custom>): void {
    if (!this.#complete()) return;
    this.#buffer.finish({ type: "end" });
    this.#resolve(output);
  }

  #fail(error: unknown): void {
    if (!this.#complete()) return;
    this.#buffer.finish({ type: "error", error });
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
    this.#link.close();
    return true;
  }

  #refuse({ reason, state }: Refusal): AgentError {
    const message = `Cannot send: the connection to agent '${this.#calls.name}' ${state}. Open a new one.`;
    return new AgentError("FAILED_PRECONDITION", message, { details: { reason } });
  }
}

function lost(cause: AgentError, turnId: string | undefined): AgentError {
  if (cause.status !== "UNAVAILABLE" && cause.status !== "DEADLINE_EXCEEDED" && cause.status !== "DATA_LOSS")
    return cause;
  const what = turnId === undefined ? "" : ` Turn ${turnId} may still be running; follow it.`;
  return new AgentError(cause.status, `The connection was lost: ${cause.message}${what}`, {
    cause,
    ...(turnId && { details: { turnId } }),
  });
}
