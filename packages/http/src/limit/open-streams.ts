import { HttpError } from "../edge/http-error.ts";

/** Counts what stays open. */
export class OpenStreams {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Refuses with 429 when there is no place. */
  check(): void {
    if (this.#count < this.#limit) return;
    throw new HttpError(
      429,
      "RESOURCE_EXHAUSTED",
      `${this.#count} streams are open, which is the limit; try again later, or raise limits.openStreams.`,
      { details: { limit: this.#limit }, headers: { "retry-after": "1" } },
    );
  }

  /** Takes a place. What it returns gives it back; calling that again does nothing. */
  open(): () => void {
    this.check();
    this.#count += 1;
    let open = true;
    return () => {
      if (open) this.#count -= 1;
      open = false;
    };
  }
}
