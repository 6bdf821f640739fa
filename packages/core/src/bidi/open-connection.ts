import { AgentError } from "@agents/schema/error";
import { type Channel, createChannel } from "../channel/create-channel.ts";
import type { BidiConnection } from "./bidi-connection.ts";

/** What the inside of a connection gives to whoever serves it. */
export interface ConnectionServer<In, Stream> {
  readonly inputs: AsyncIterable<In>;
  sendChunk(chunk: Stream): Promise<void>;
  releaseChunks(): void;
  readonly signal: AbortSignal;
}

export interface OpenConnectionOptions<InSent, In, Stream, Out> {
  /** For messages: `flow "weather"`. */
  what: string;
  /** Most inputs, and most chunks, that wait for their reader before senders wait. */
  capacity: number;
  /** Cancels the connection. If it is aborted already, `serve` is never called. */
  signal?: AbortSignal;
  /** Inputs that are there before anything is sent. */
  accepted?: readonly In[];
  /** Turns what is sent into what is read; its throw rejects that send. */
  acceptInput: (input: InSent) => In;
  /** Called once, after `openConnection` has returned. What it returns is the output. */
  serve: (server: ConnectionServer<In, Stream>) => Promise<Out>;
}

/** Joins a caller and a server by two bounded channels. Never throws: whatever fails is the output's failure. */
export function openConnection<InSent, In, Stream, Out>(
  options: OpenConnectionOptions<InSent, In, Stream, Out>,
): BidiConnection<InSent, Stream, Out> {
  return new ServedConnection(options);
}

interface Refusal {
  reason: "closed" | "completed";
  state: string;
  cause?: unknown;
}

const FINISHED: Refusal = { reason: "completed", state: "has completed" };

class ServedConnection<InSent, In, Stream, Out> implements BidiConnection<InSent, Stream, Out> {
  readonly #options: OpenConnectionOptions<InSent, In, Stream, Out>;
  readonly #inputs: Channel<In>;
  readonly #chunks: Channel<Stream>;
  readonly #output: Promise<Out>;
  /** Made when the server asks for its signal: it costs as much as the rest of a connection. */
  #controller: AbortController | undefined;
  #cancelled: { reason: unknown } | undefined;
  /** Why nothing can be sent any more. */
  #refusal: Refusal | undefined;
  #done = false;

  constructor(options: OpenConnectionOptions<InSent, In, Stream, Out>) {
    const { capacity, signal, accepted = [] } = options;
    this.#options = options;
    this.#inputs = createChannel({ capacity });
    this.#chunks = createChannel({ capacity });
    for (const input of accepted) this.#inputs.offer(input);
    if (signal?.aborted) this.cancel(signal.reason);
    else signal?.addEventListener("abort", this, { once: true });
    this.#output = this.#serve();
    // Whoever wants the output awaits it; a failure that nobody asks for must not end the process.
    this.#output.catch(() => {});
  }

  get done(): boolean {
    return this.#done;
  }

  send(input: InSent): Promise<void> {
    if (this.#refusal !== undefined) return rejected(this.#refuse());
    try {
      return this.#inputs.send(this.#options.acceptInput(input));
    } catch (error) {
      return rejected(error);
    }
  }

  close(): void {
    this.#refusal ??= { reason: "closed", state: "was closed" };
    this.#inputs.end();
  }

  receive(): AsyncIterable<Stream> {
    return readable(this.#chunks);
  }

  receiveUntil(last: (chunk: Stream) => boolean): AsyncIterable<Stream> {
    return readable(this.#chunks, last);
  }

  output(): Promise<Out> {
    this.close();
    this.#chunks.drain();
    return this.#output;
  }

  cancel(given?: unknown): void {
    if (this.#done || this.#cancelled !== undefined) return;
    const reason = given ?? new AgentError("CANCELLED", `The connection to ${this.#options.what} was cancelled.`);
    this.#cancelled = { reason };
    this.#refusal = { reason: "closed", state: "was cancelled", cause: reason };
    this.#inputs.abort(reason, () => this.#refuse());
    this.#chunks.release();
    this.#controller?.abort(reason);
  }

  /** The caller's signal was aborted. */
  handleEvent(): void {
    this.cancel(this.#options.signal?.reason);
  }

  async #serve(): Promise<Out> {
    // Whoever opened the connection has it before anything happens in it.
    await undefined;
    try {
      if (this.#cancelled !== undefined) throw this.#cancelled.reason;
      const output = await this.#options.serve(this.#server());
      this.#complete(FINISHED);
      this.#chunks.end();
      return output;
    } catch (error) {
      this.#complete({ reason: "completed", state: "has failed", cause: error });
      this.#chunks.fail(error);
      throw error;
    }
  }

  #server(): ConnectionServer<In, Stream> {
    const signal = (): AbortSignal => this.#signal();
    return {
      inputs: readable(this.#inputs),
      sendChunk: (chunk) => this.#chunks.send(chunk),
      releaseChunks: () => this.#chunks.release(),
      get signal() {
        return signal();
      },
    };
  }

  #signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled.reason);
    }
    return this.#controller.signal;
  }

  #complete(refusal: Refusal): void {
    this.#done = true;
    this.#refusal = refusal;
    this.#options.signal?.removeEventListener("abort", this);
    this.#inputs.end(() => this.#refuse());
  }

  #refuse(): AgentError {
    const { reason, state, cause } = this.#refusal ?? FINISHED;
    const message = `Cannot send: the connection to ${this.#options.what} ${state}. Open a new one.`;
    return new AgentError("FAILED_PRECONDITION", message, { details: { reason }, cause });
  }
}

/** Each loop over it is a reader of its own, so it can be left and re-entered. */
function readable<T>(channel: Channel<T>, last?: (value: T) => boolean): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => channel.values(last) };
}

/** For those who await it; nobody else hears of it. */
function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
