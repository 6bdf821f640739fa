import { AgentError } from "@agents/schema/error";
import { type Channel, createChannel } from "../channel/create-channel.ts";
import { quietRejection } from "../channel/quiet-rejection.ts";
import type { BidiConnection } from "./bidi-connection.ts";

/** What the inside of a connection gives to whoever serves it. */
export interface ConnectionServer<In, Stream, Out = unknown> {
  readonly inputs: AsyncIterable<In>;
  sendChunk(chunk: Stream): Promise<void>;
  releaseChunks(): void;
  /** No `sendChunk` waits from now on; what is sent still reaches the caller. */
  relaxChunks(): void;
  /**
   * The caller gets this output now, and nothing more: the connection is over for it. `serve` goes on, and what it returns
   * or throws later is nobody's any more.
   */
  answerEarly(output: Out): void;
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
  /** Called when an input is in the queue. */
  onQueued?: (input: In) => void;
  /** Called once, before anything else, when the connection is cancelled while it runs. Cheaper than asking for a signal. */
  onCancel?: (reason: unknown) => void;
  /** Called once, when the output or the failure is there, before anybody gets it. */
  onComplete?: () => void;
  /** Called once, after `openConnection` has returned. What it returns is the output. */
  serve: (server: ConnectionServer<In, Stream, Out>) => Promise<Out>;
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
  #resolveOutput: (output: Out) => void = () => {};
  #rejectOutput: (error: unknown) => void = () => {};
  #server: ServerSide<In, Stream, Out> | undefined;
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
    this.#output = new Promise((resolve, reject) => {
      this.#resolveOutput = resolve;
      this.#rejectOutput = reject;
    });
    if (signal?.aborted) this.cancel(signal.reason);
    else signal?.addEventListener("abort", this, { once: true });
    void this.#serve();
  }

  get done(): boolean {
    return this.#done;
  }

  send(input: InSent): Promise<void> {
    if (this.#refusal !== undefined) return quietRejection(this.#refuse());
    try {
      const accepted = this.#options.acceptInput(input);
      const sent = this.#inputs.send(accepted);
      this.#options.onQueued?.(accepted);
      return sent;
    } catch (error) {
      return quietRejection(error);
    }
  }

  close(): void {
    this.#refusal ??= { reason: "closed", state: "was closed" };
    this.#inputs.end();
  }

  receive(): AsyncIterable<Stream> {
    return new Readable(this.#chunks);
  }

  receiveUntil(last: (chunk: Stream) => boolean): AsyncIterable<Stream> {
    return new Readable(this.#chunks, last);
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
    this.#options.onCancel?.(reason);
    this.#refusal = { reason: "closed", state: "was cancelled", cause: reason };
    this.#inputs.abort(reason, () => this.#refuse());
    this.#chunks.release();
    this.#server?.abort(reason);
  }

  /** The caller's signal was aborted. */
  handleEvent(): void {
    this.cancel(this.#options.signal?.reason);
  }

  async #serve(): Promise<void> {
    // Whoever opened the connection has it before anything happens in it.
    await undefined;
    try {
      if (this.#cancelled !== undefined) throw this.#cancelled.reason;
      this.#server = new ServerSide(this.#inputs, this.#chunks, (output) => this.#succeed(output));
      this.#succeed(await this.#options.serve(this.#server));
    } catch (error) {
      this.#fail(error);
    } finally {
      // Nobody reads any more. Until here what was sent reached the server, also after an early answer.
      this.#inputs.end(() => this.#refuse());
    }
  }

  #succeed(output: Out): void {
    if (this.#done) return;
    this.#complete(FINISHED);
    this.#chunks.end();
    this.#resolveOutput(output);
  }

  #fail(error: unknown): void {
    if (this.#done) return;
    this.#complete({ reason: "completed", state: "has failed", cause: error });
    this.#chunks.fail(error);
    // Whoever wants the output awaits it; a failure that nobody asks for must not end the process.
    this.#output.catch(() => {});
    this.#rejectOutput(error);
  }

  #complete(refusal: Refusal): void {
    this.#done = true;
    this.#refusal = refusal;
    this.#options.signal?.removeEventListener("abort", this);
    this.#inputs.end();
    this.#options.onComplete?.();
  }

  #refuse(): AgentError {
    const { reason, state, cause } = this.#refusal ?? FINISHED;
    const message = `Cannot send: the connection to ${this.#options.what} ${state}. Open a new one.`;
    return new AgentError("FAILED_PRECONDITION", message, { details: { reason }, cause });
  }
}

/** A class for its accessor: one in a literal costs half a microsecond per connection. */
class ServerSide<In, Stream, Out> implements ConnectionServer<In, Stream, Out> {
  readonly inputs: AsyncIterable<In>;
  readonly sendChunk: (chunk: Stream) => Promise<void>;
  readonly releaseChunks: () => void;
  readonly relaxChunks: () => void;
  readonly answerEarly: (output: Out) => void;
  /** Made when somebody asks for the signal: it costs as much as the rest of a connection. */
  #controller: AbortController | undefined;
  #aborted: { reason: unknown } | undefined;

  constructor(inputs: Channel<In>, chunks: Channel<Stream>, answer: (output: Out) => void) {
    this.inputs = new Readable(inputs);
    this.sendChunk = (chunk) => chunks.send(chunk);
    this.releaseChunks = () => chunks.release();
    this.relaxChunks = () => chunks.relax();
    this.answerEarly = (output) => {
      chunks.release();
      answer(output);
    };
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
}

/** Each loop over it is a reader of its own, so it can be left and re-entered. */
class Readable<T> implements AsyncIterable<T> {
  readonly #channel: Channel<T>;
  readonly #last: ((value: T) => boolean) | undefined;

  constructor(channel: Channel<T>, last?: (value: T) => boolean) {
    this.#channel = channel;
    this.#last = last;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> {
    return this.#channel.values(this.#last);
  }
}
