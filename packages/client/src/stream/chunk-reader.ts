import { AgentError } from "@agents/schema/error";
import type { PositionedChunk, Restarted } from "@agents/schema/port";

/** What a loop over plain chunks ends with when the turn was taken over and begins anew. */
export function restartedError(turnId: string | undefined, { position }: Restarted): AgentError {
  return new AgentError(
    "ABORTED",
    `Another process took turn ${turnId} over and runs it again: what was shown of it is void. Clear it and read the stream again, or read entries().`,
    { details: { reason: "restarted", turnId, position } },
  );
}

/** Gives chunks alone. Where what was given out becomes void, the reading ends with ABORTED; the next one goes on. */
export class ChunkReader<Status> implements AsyncIterableIterator<PositionedChunk<Status>, undefined> {
  readonly #entries: AsyncIterator<PositionedChunk<Status> | Restarted, undefined>;
  readonly #shown: { count: number };
  readonly #turnId: () => string | undefined;

  /** `shown` counts over all readings of one stream. */
  constructor(
    entries: AsyncIterable<PositionedChunk<Status> | Restarted, undefined>,
    { shown, turnId }: { shown: { count: number }; turnId: () => string | undefined },
  ) {
    this.#entries = entries[Symbol.asyncIterator]();
    this.#shown = shown;
    this.#turnId = turnId;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<PositionedChunk<Status>, undefined>> {
    for (;;) {
      const { value, done } = await this.#entries.next();
      if (done) return { value: undefined, done };
      if ("chunk" in value) {
        this.#shown.count++;
        return { value, done: false };
      }
      if (this.#shown.count === 0) continue;
      this.#shown.count = 0;
      await this.return();
      throw restartedError(this.#turnId(), value);
    }
  }

  async return(): Promise<IteratorResult<PositionedChunk<Status>, undefined>> {
    await this.#entries.return?.();
    return { value: undefined, done: true };
  }
}
