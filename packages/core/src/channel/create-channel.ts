import { AgentError } from "@agents/schema/error";
import { ChannelReader, type Ending, type ReaderSource } from "./channel-reader.ts";
import { Fifo } from "./fifo.ts";

export interface ChannelOptions {
  /** Most values that wait for the reader before senders wait too. An integer of at least 1. */
  capacity: number;
}

/**
 * A bounded queue between senders and one reader at a time. Values arrive in the order of `send` and `offer`, each once.
 * No order of calls leads to an unhandled rejection: what fails, fails for whoever awaits it.
 */
export interface Channel<T> {
  /** Values that nobody has read, those of waiting senders included. */
  readonly size: number;
  /**
   * Queues the value at once and resolves when it is among the first `capacity` of the queue, so that whoever awaits it
   * waits for a slow reader. Rejects only if it waits when `end` or `abort` comes with a refusal.
   * After `end`, `fail`, `abort` or `release` the value is dropped and nobody waits.
   */
  send(value: T): Promise<void>;
  /** Queues the value, beyond the bound if need be: the next awaited `send` waits for it too. */
  offer(value: T): void;
  /**
   * No more values; the reader gets what is queued and then the end. With a refusal, senders that still wait are rejected
   * with what it makes, and their values are not delivered. The first `end` or `fail` counts.
   */
  end(refusal?: () => AgentError): void;
  /** As `end`, but after the last value every reader gets the error. */
  fail(error: unknown): void;
  /**
   * Discards what is unread; readers get the error from now on, even after `end` or `fail`. Senders that wait are let go,
   * or rejected with the refusal.
   */
  abort(error: unknown, refusal?: () => AgentError): void;
  /** Nobody waits from now on, and what is sent is dropped. What is queued can still be read. */
  release(): void;
  /** Nobody waits from now on; what is sent is still queued, beyond the bound if need be. */
  relax(): void;
  /**
   * Where no reader is under way and senders would have to wait, what is unread is discarded instead. A reader is under
   * way from its first `next()` until it leaves or reaches the end.
   */
  drain(): void;
  /**
   * Reads until the end, or up to and including the first value that `last` holds for. Leaving (`break`) loses nothing:
   * the next reader goes on with the next value. A `next()` while another is waiting rejects with FAILED_PRECONDITION.
   */
  values(last?: (value: T) => boolean): AsyncIterableIterator<T, undefined>;
}

export function createChannel<T>({ capacity }: ChannelOptions): Channel<T> {
  if (!Number.isInteger(capacity) || capacity < 1) {
    throw new AgentError("INVALID_ARGUMENT", `The capacity of a channel is an integer of at least 1, not ${capacity}.`);
  }
  return new BoundedChannel<T>(capacity);
}

/** Shared by every send that need not wait: it is on the path of every chunk. */
const SENT = Promise.resolve();

interface WaitingSender {
  /** Which value of the channel's life it waits for. */
  readonly place: number;
  readonly resolve: () => void;
  readonly reject: (error: AgentError) => void;
}

class BoundedChannel<T> implements Channel<T>, ReaderSource<T> {
  readonly #capacity: number;
  readonly #queue = new Fifo<T>();
  readonly #senders = new Fifo<WaitingSender>();
  /** Values taken out so far: the place of the one at the front. */
  #taken = 0;
  #open = true;
  #ending: Ending | undefined;
  #draining = false;
  #relaxed = false;
  #readersUnderWay = 0;
  #waitingReader: ChannelReader<T> | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#queue.size;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  send(value: T): Promise<void> {
    this.offer(value);
    if (this.#queue.size <= this.#capacity || !this.#open || this.#relaxed) return SENT;
    const place = this.#taken + this.#queue.size - 1;
    const sent = new Promise<void>((resolve, reject) => this.#senders.push({ place, resolve, reject }));
    // A refused send that nobody awaits must not end the process.
    sent.catch(() => {});
    return sent;
  }

  offer(value: T): void {
    if (!this.#open) return;
    const reader = this.#waitingReader;
    if (reader === undefined) {
      this.#queue.push(value);
      if (this.#draining) this.#discardUnlessRead();
      return;
    }
    this.#waitingReader = undefined;
    this.#taken++;
    reader.deliver(value);
  }

  end(refusal?: () => AgentError): void {
    if (refusal !== undefined) this.#refuseSenders(refusal);
    this.#finish({ type: "end" });
  }

  fail(error: unknown): void {
    this.#finish({ type: "error", error });
  }

  abort(error: unknown, refusal?: () => AgentError): void {
    if (refusal !== undefined) this.#refuseSenders(refusal);
    this.#discard();
    this.#ending = undefined;
    this.#finish({ type: "error", error });
  }

  release(): void {
    this.#open = false;
    this.#releaseSenders();
  }

  relax(): void {
    this.#relaxed = true;
    this.#releaseSenders();
  }

  drain(): void {
    this.#draining = true;
    this.#discardUnlessRead();
  }

  values(last?: (value: T) => boolean): AsyncIterableIterator<T, undefined> {
    return new ChannelReader<T>(this, last);
  }

  enter(): void {
    this.#readersUnderWay++;
  }

  leave(reader: ChannelReader<T>): void {
    this.#readersUnderWay--;
    if (this.#waitingReader === reader) this.#waitingReader = undefined;
    this.#discardUnlessRead();
  }

  take(): T {
    const value = this.#queue.shift() as T;
    this.#taken++;
    // Places differ, so one step forward lets in one sender at most.
    const sender = this.#senders.peek();
    if (sender !== undefined && sender.place < this.#taken + this.#capacity) {
      this.#senders.shift();
      sender.resolve();
    }
    return value;
  }

  await(reader: ChannelReader<T>): boolean {
    if (this.#waitingReader !== undefined) return false;
    this.#waitingReader = reader;
    return true;
  }

  #finish(ending: Ending): void {
    this.#open = false;
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    const reader = this.#waitingReader;
    this.#waitingReader = undefined;
    reader?.finish(ending);
  }

  #discardUnlessRead(): void {
    const full = this.#queue.size > this.#capacity;
    if (full && this.#draining && this.#readersUnderWay === 0) this.#discard();
  }

  #discard(): void {
    this.#taken += this.#queue.size;
    this.#queue.clear();
    this.#releaseSenders();
  }

  #releaseSenders(): void {
    for (let sender = this.#senders.shift(); sender !== undefined; sender = this.#senders.shift()) sender.resolve();
  }

  /** Goes once around the queue: what was offered between the values of waiting senders stays. */
  #refuseSenders(refusal: () => AgentError): void {
    if (this.#senders.size === 0) return;
    const count = this.#queue.size;
    for (let n = 0; n < count; n++) {
      const value = this.#queue.shift() as T;
      if (this.#senders.peek()?.place === this.#taken + n) this.#senders.shift()?.reject(refusal());
      else this.#queue.push(value);
    }
  }
}
