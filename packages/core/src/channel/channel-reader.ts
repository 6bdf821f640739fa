import { AgentError } from "@agents/schema/error";

/** How a channel ends for those who read it. */
export type Ending = { type: "end" } | { type: "error"; error: unknown };

/** The side of a channel that its readers see. */
export interface ReaderSource<T> {
  readonly size: number;
  readonly ending: Ending | undefined;
  enter(): void;
  leave(reader: ChannelReader<T>): void;
  /** Takes the value at the front. Only while `size` is not 0. */
  take(): T;
  /** Has the next value delivered to the reader. False if another one waits already. */
  await(reader: ChannelReader<T>): boolean;
}

type Result<T> = IteratorResult<T, undefined>;

interface WaitingRead<T> {
  resolve(result: Result<T>): void;
  reject(error: unknown): void;
}

/** One reading of a channel, as `Channel.values` describes it. Buffered values are given without a further promise. */
export class ChannelReader<T> implements AsyncIterableIterator<T, undefined> {
  readonly #source: ReaderSource<T>;
  readonly #last: ((value: T) => boolean) | undefined;
  #state: "new" | "under way" | "left" = "new";
  #waiting: WaitingRead<T> | undefined;

  constructor(source: ReaderSource<T>, last?: (value: T) => boolean) {
    this.#source = source;
    this.#last = last;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result<T>> {
    if (this.#state === "left") return Promise.resolve(DONE);
    if (this.#state === "new") {
      this.#state = "under way";
      this.#source.enter();
    }
    if (this.#source.size === 0) return new Promise((resolve, reject) => this.#wait({ resolve, reject }));
    const value = this.#source.take();
    if (this.#last === undefined) return Promise.resolve({ value, done: false });
    return new Promise((resolve) => resolve(this.#result(value)));
  }

  /** A waiting `next()` resolves as done; the value it waited for goes to the next reader. */
  return(): Promise<Result<T>> {
    this.#leave();
    this.#waiting?.resolve(DONE);
    this.#waiting = undefined;
    return Promise.resolve(DONE);
  }

  deliver(value: T): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    try {
      waiting?.resolve(this.#result(value));
    } catch (error) {
      waiting?.reject(error);
    }
  }

  finish(ending: Ending): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#leave();
    if (ending.type === "end") waiting?.resolve(DONE);
    else waiting?.reject(ending.error);
  }

  #wait(read: WaitingRead<T>): void {
    const { ending } = this.#source;
    if (ending === undefined && !this.#source.await(this)) {
      // A loop that ends by an error does not say that it leaves; a second `next()` of the waiting reader does not.
      if (this.#waiting === undefined) this.#leave();
      read.reject(alreadyRead());
      return;
    }
    this.#waiting = read;
    if (ending !== undefined) this.finish(ending);
  }

  #result(value: T): Result<T> {
    let last = true;
    try {
      last = this.#last?.(value) ?? false;
    } finally {
      // Also when the predicate throws: this reading is over then.
      if (last) this.#leave();
    }
    return { value, done: false };
  }

  #leave(): void {
    const underWay = this.#state === "under way";
    this.#state = "left";
    if (underWay) this.#source.leave(this);
  }
}

const DONE = Object.freeze({ value: undefined, done: true }) satisfies IteratorReturnResult<undefined>;

function alreadyRead(): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    "Somebody is reading already: values go to one reader at a time. Leave the other loop first.",
  );
}
