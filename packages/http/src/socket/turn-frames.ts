/** Says which turn the chunks that follow are of: a turn may begin while the last chunks of the one before wait to be read. */
export class TurnFrames {
  readonly #send: (frame: object) => void;
  readonly #begun: string[] = [];
  #open: string | undefined;
  #latest: string | undefined;
  #index = 0;

  constructor(send: (frame: object) => void) {
    this.#send = send;
  }

  /** The turn that was begun last: the one that may still run. */
  get current(): string | undefined {
    return this.#latest;
  }

  begin(turnId: string): void {
    this.#latest = turnId;
    this.#begun.push(turnId);
    if (this.#open === undefined) this.#next();
  }

  /** The last chunk of the open turn was sent. */
  end(): void {
    this.#open = undefined;
    this.#next();
  }

  #next(): void {
    this.#open = this.#begun.shift();
    if (this.#open === undefined) return;
    this.#send({ type: "turn", turnId: this.#open, turnIndex: this.#index });
    this.#index += 1;
  }
}
