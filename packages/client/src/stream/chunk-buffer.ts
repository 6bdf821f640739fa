import { AgentError } from "@agents/schema/error";

/** How the values end for those who read them. */
export type Ending = { readonly type: "end" } | { readonly type: "error"; readonly error: unknown };

export interface ChunkBufferOptions {
  /** Most values that are kept for a reader who is slower. */
  readonly capacity: number;
  /** Called when a reader comes or a value is taken: more may be wanted now. */
  readonly onDemand: () => void;
  /** Called when the last reader leaves before the end. */
  readonly onLeave: () => void;
}

/**
 * Values between a source and one reader at a time, who can leave and come back without losing any. Once drained, what
 * nobody reads is discarded instead of kept.
 */
export class ChunkBuffer<T> {
  readonly #options: ChunkBufferOptions;
  #queue: T[] = [];
  #readers = 0;
  #draining = false;
  #released = false;
  #ending: Ending | undefined;
  #waiting: Reading<T> | undefined;

  constructor(options: ChunkBufferOptions) {
    this.#options = options;
  }

  /** Whether the source should bring more. */
  get wanted(): boolean {
    if (this.#ending !== undefined) return false;
    if (this.#released || (this.#draining && this.#readers === 0)) return true;
    return this.#readers > 0 && this.#queue.length < this.#options.capacity;
  }

  get size(): number {
    return this.#queue.length;
  }

  get draining(): boolean {
    return this.#draining;
  }

  push(value: T): void {
    if (this.#released || this.#ending !== undefined) return;
    if (this.#waiting !== undefined) {
      this.#waiting.deliver(value);
      return;
    }
    if (this.#draining && this.#readers === 0 && this.#queue.length >= this.#options.capacity) this.#queue = [];
    this.#queue.push(value);
  }

  /** No more values; readers get what is kept and then this. The first ending counts. */
  finish(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#waiting?.finish();
  }

  /** What nobody reads need not be kept. */
  drain(): void {
    this.#draining = true;
    this.#options.onDemand();
  }

  /** What comes from now on is dropped; what is kept can still be read. */
  release(): void {
    this.#released = true;
    this.#options.onDemand();
  }

  /** Reads until the end, or up to and including the first value that `last` holds for. */
  values(last?: (value: T) => boolean): AsyncIterableIterator<T, undefined> {
    const buffer = this;
    let reading: Reading<T> | undefined;
    let left = false;
    const leave = (): void => {
      const underWay = reading !== undefined && !left;
      left = true;
      if (!underWay) return;
      buffer.#readers--;
      if (buffer.#readers === 0 && buffer.#ending === undefined) buffer.#options.onLeave();
      if (buffer.#draining) buffer.#options.onDemand();
    };
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        if (left) return DONE;
        if (reading === undefined) {
          buffer.#readers++;
          reading = new Reading();
        }
        const result = await buffer.#take(reading);
        if (result.type === "value" && !last?.(result.value)) return { value: result.value, done: false };
        leave();
        if (result.type === "value") return { value: result.value, done: false };
        if (result.type === "error") throw result.error;
        return DONE;
      },
      async return() {
        leave();
        // A waiting `next` is done; what it waited for goes to the next reader.
        if (buffer.#waiting === reading) buffer.#waiting = undefined;
        reading?.abandon();
        return DONE;
      },
    };
  }

  #take(reading: Reading<T>): Promise<Taken<T>> | Taken<T> {
    if (this.#queue.length > 0) {
      const value = this.#queue.shift() as T;
      this.#options.onDemand();
      return { type: "value", value };
    }
    if (this.#ending !== undefined) return this.#ending;
    if (this.#waiting !== undefined) return { type: "error", error: alreadyRead() };
    this.#waiting = reading;
    const taken = reading.wait(() => {
      this.#waiting = undefined;
      return this.#ending ?? { type: "end" };
    });
    this.#options.onDemand();
    return taken;
  }
}

type Taken<T> = { readonly type: "value"; readonly value: T } | Ending;

const DONE = Object.freeze({ value: undefined, done: true }) satisfies IteratorReturnResult<undefined>;

/** One reader, and what it waits for. */
class Reading<T> {
  #resolve: (taken: Taken<T>) => void = () => {};
  #release: () => Ending = () => ({ type: "end" });

  wait(release: () => Ending): Promise<Taken<T>> {
    this.#release = release;
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  deliver(value: T): void {
    this.#release();
    this.#resolve({ type: "value", value });
  }

  finish(): void {
    this.#resolve(this.#release());
  }

  abandon(): void {
    this.#resolve({ type: "end" });
  }
}

function alreadyRead(): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    "Somebody is reading already: chunks go to one reader at a time. Leave the other loop first.",
  );
}
