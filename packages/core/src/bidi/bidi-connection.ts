/**
 * One invocation of a bidi action, seen by the caller. Any order of its calls is safe: a rejection that nobody awaits
 * is never reported as unhandled.
 */
export interface BidiConnection<In, Stream, Out> {
  /**
   * Resolves when the input was taken; waits while the bounded channel is full. Rejects with INVALID_ARGUMENT if the
   * input does not fit its schema, and with FAILED_PRECONDITION once the connection was closed or cancelled
   * (`details.reason` is "closed") or the action has finished ("completed"), also if that happens while it waits.
   */
  send(input: In): Promise<void>;
  /** No more inputs. Those already sent, waiting ones included, still reach the action. */
  close(): void;
  /**
   * What the action streams, until it ends; throws its error if it fails. Leaving the loop loses nothing: the next one
   * goes on where it left. One reader at a time.
   */
  receive(): AsyncIterable<Stream>;
  /** Each loop over it reads on, up to and including the next chunk that `last` holds for. */
  receiveUntil(last: (chunk: Stream) => boolean): AsyncIterable<Stream>;
  /**
   * Closes the input side and resolves with what the action returned, or rejects with what it threw; always the same
   * promise. From now on chunks are discarded rather than waited for while no loop over `receive()` is open. A loop that
   * was entered counts as open until it is left, and the action waits for it as before.
   */
  output(): Promise<Out>;
  /**
   * Aborts the action's signal. Inputs that it has not read are discarded, its loop over them throws the reason, and
   * chunks sent from now on are dropped. What the action makes of it is the output; one that is there already stays.
   * @param reason What the signal's reason is. @default an AgentError with status CANCELLED
   */
  cancel(reason?: unknown): void;
  /** Whether the output, or the failure, is there. */
  readonly done: boolean;
}

/** One input sent, no more to come: what the action streams, and its output. */
export interface BidiStream<Stream, Out> extends AsyncIterable<Stream> {
  /** As of a connection: can be called at any time, any number of times. */
  output(): Promise<Out>;
  cancel(reason?: unknown): void;
}
