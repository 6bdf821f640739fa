import type { ModelChunk } from "@agents/schema/agent";
import { createChannel } from "../channel/create-channel.ts";
import { generateWith } from "./generate.ts";
import type { GenerateOptions } from "./generate-options.ts";
import type { GenerateResponse } from "./generate-response.ts";

export interface GenerateStream<Output = unknown> {
  /** Pieces of the model's answers, and the answers of its tools. The model waits for a slow reader. */
  readonly stream: AsyncIterable<ModelChunk>;
  /** Awaiting it reads what nobody reads. */
  readonly response: Promise<GenerateResponse<Output>>;
}

/** Most chunks that wait for the reader before the model does. */
const CAPACITY = 64;

/**
 * The same as `generate`, seen while it happens. Leaving the loop over `stream` stops nothing: abort the signal to stop the
 * generation. A failure comes out of both `stream` and `response`; whoever looks at one of them need not handle the other.
 */
export function generateStream<Output = unknown>(options: GenerateOptions<Output>): GenerateStream<Output> {
  const chunks = createChannel<ModelChunk>({ capacity: CAPACITY });
  const response = generateWith(options, (chunk) => chunks.send(chunk));
  response.then(
    () => chunks.end(),
    (error: unknown) => chunks.fail(error),
  );
  return {
    stream: { [Symbol.asyncIterator]: () => chunks.values() },
    response: new AwaitedPromise(response, () => chunks.drain()),
  };
}

/** A promise that learns when somebody waits for it: taking it out of an object, as destructuring does, is not waiting. */
class AwaitedPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Promise";
  readonly #promise: Promise<T>;
  readonly #onAwait: () => void;

  constructor(promise: Promise<T>, onAwait: () => void) {
    this.#promise = promise;
    this.#onAwait = onAwait;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#onAwait();
    return this.#promise.then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    this.#onAwait();
    return this.#promise.finally(onFinally);
  }
}
