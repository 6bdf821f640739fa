import type { AgentChunk, AgentOutput } from "@agents/schema/agent";
import type { AgentStream, PositionedChunk } from "@agents/schema/port";
import { ChunkBuffer } from "./chunk-buffer.ts";
import { ChunkReader } from "./chunk-reader.ts";
import type { Entry } from "./entry.ts";
import type { TurnSource } from "./turn-source.ts";

/**
 * One turn on a server. Leaving a loop closes the connection; the turn goes on there, and the next loop, or `output()`,
 * joins it where the last one left. A loop over chunks ends with ABORTED (`details.reason: "restarted"`) when another
 * process took the turn over: what was shown is void, and the next loop shows the turn from its new beginning.
 */
export interface RemoteStream<Custom = unknown, Status = unknown> extends AgentStream<Custom, Status> {
  /** Chunks with their positions, and the word that what came before is void, instead of an error. */
  entries(): AsyncIterable<Entry<Status>>;
}

/** Looks at what passes. */
export interface StreamHooks<Custom, Status> {
  /** Before an entry is given to a reader, or dropped because nobody reads. */
  onEntry?(entry: Entry<Status>): void;
  /** Before the output is given out. */
  onOutput?(output: AgentOutput<Custom>): Promise<void>;
  onFailure?(error: unknown): void;
}

/** Entries that are read ahead of a slow reader; what is beyond stays in the network, and then the turn waits. */
const CAPACITY = 64;

/** A source with the manners of an agent's stream. */
export class SourceStream<Custom, Status> implements RemoteStream<Custom, Status> {
  readonly #source: TurnSource<Custom, Status>;
  readonly #hooks: StreamHooks<Custom, Status>;
  readonly #buffer: ChunkBuffer<Entry<Status>>;
  readonly #started: Promise<void>;
  readonly #shown = { count: 0 };
  readonly #output: Promise<AgentOutput<Custom>>;
  #resolve: (output: AgentOutput<Custom>) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #pumping = false;

  constructor(source: TurnSource<Custom, Status>, started: Promise<void>, hooks: StreamHooks<Custom, Status> = {}) {
    this.#source = source;
    this.#started = started;
    this.#hooks = hooks;
    this.#buffer = new ChunkBuffer({
      capacity: CAPACITY,
      onDemand: () => void this.#pump(),
      onLeave: () => this.#leave(),
    });
    this.#output = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever wants the output awaits it; a failure that nobody asks for must not end the process.
    this.#output.catch(() => {});
    // A start that failed is known to the hooks also when nobody reads.
    void started.then(() => {
      if (source.ended) this.abandon();
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentChunk<Status>, undefined> {
    const reader = this.#chunks();
    return {
      async next() {
        const { value, done } = await reader.next();
        return done ? { value: undefined, done } : { value: value.chunk, done: false };
      },
      async return() {
        await reader.return();
        return { value: undefined, done: true };
      },
    };
  }

  positioned(): AsyncIterable<PositionedChunk<Status>> {
    return { [Symbol.asyncIterator]: () => this.#chunks() };
  }

  entries(): AsyncIterable<Entry<Status>> {
    return { [Symbol.asyncIterator]: () => this.#buffer.values() };
  }

  async turnId(): Promise<string | undefined> {
    await this.#started;
    return this.#source.turnId;
  }

  output(): Promise<AgentOutput<Custom>> {
    this.#buffer.drain();
    return this.#output;
  }

  /** Reads on to the end for the output alone. */
  abandon(): void {
    this.#buffer.release();
  }

  #chunks(): ChunkReader<Status> {
    return new ChunkReader(
      { [Symbol.asyncIterator]: () => this.#buffer.values() },
      { shown: this.#shown, turnId: () => this.#source.turnId },
    );
  }

  #leave(): void {
    // Whoever waits for the output, or has seen the turn's end, gets the rest.
    if (this.#buffer.draining) return;
    if (this.#source.over) this.#buffer.drain();
    else this.#source.pause();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#buffer.wanted) {
        const pulled = await this.#source.next();
        if (pulled.type === "ended") await this.#succeed(this.#source.output);
        if (pulled.type !== "entry") continue;
        this.#hooks.onEntry?.(pulled.entry);
        this.#buffer.push(pulled.entry);
      }
    } catch (error) {
      this.#hooks.onFailure?.(error);
      this.#buffer.finish({ type: "error", error });
      this.#reject(error);
    } finally {
      this.#pumping = false;
    }
  }

  async #succeed(output: AgentOutput<Custom>): Promise<void> {
    await this.#hooks.onOutput?.(output);
    this.#buffer.finish({ type: "end" });
    this.#resolve(output);
  }
}
